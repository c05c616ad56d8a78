// Plans against guards in a page, as games/loderunner/agent/chase/win.py finds them: the judge, and one hunt after another
// led by the nearest gold. It is a generator, so that whoever runs it may look up, or stop, after each portion.
import { Kernels, OutOfMemory } from "../../kernels.js";
import { place } from "../../rules/cells.js";
import { Game, gameOn, isDig, put } from "./game.js";
import { cellsOf } from "./level.js";
import { pressesOf, ticksOf, written } from "./plan.js";
import { judged } from "./still.js";
import { walledIn, waysOf } from "./ways.js";

const MEMORY = 256e6; // bytes for the nodes of a hunt; a page may have little

/** Raised where a limit is reached: `seconds`, `memory` or `ideas`. */
class Limit extends Error {}

/**
 * Wins a board from its start, or from a state of its game. Yields how many games it keeps; comes back with {status,
 * solution, ticks, states, limit, gold, collected, why, stuck}: the plan and how long it takes, of how much gold the judge
 * collects how much, and the cells [row, column] of gold that is why nobody wins, or that only guards bring.
 */
export function* win(compiled, { board, state = null, seconds = Infinity, memory = MEMORY }) {
  const { dug, most, ...verdict } = { status: "unknown", solution: null, ticks: null, limit: null, why: null, ...judge(compiled, board) };
  const field = { compiled, board, memory, states: 0, deadline: performance.now() + 1000 * seconds };
  try {
    const hunter = new Hunter(field, dug, state);
    const walls = state ? null : hunter.walls(verdict, most);
    const plan = walls ? null : yield* hunter.win();
    if (plan === null) Object.assign(verdict, { status: "unsolvable", ...walls ?? { why: "every key at every tick loses", stuck: [] } });
    else Object.assign(verdict, { status: "solved", solution: plan, ticks: ticksOf(plan).length, stuck: [] });
  } catch (error) {
    if (!(error instanceof Limit || error instanceof OutOfMemory)) throw error;
    verdict.limit = error instanceof Limit ? error.message : "memory";
  }
  return { ...verdict, states: field.states };
}

/** What the judge says of a board: how much gold there is, how much of it one walk collects through holes, how much one
 * that digs whatever can be dug, which bricks those are, and the gold that even that does not reach. */
export function judge({ libraries, constants }, board) {
  const { judge: { DIG, RELAXED, BRICK, GOLD }, win: { ANSWERS } } = constants;
  const [dig, relaxed] = [DIG, RELAXED].map((rules) => {
    const kernels = new Kernels(libraries["loderunner-judge"]);
    const game = judged(kernels, board, rules);
    const [grids, out] = [kernels.array("u8", 1, board.height * board.width), kernels.array("i64", 1, ANSWERS)];
    for (let row = 0; row < board.height; row++) {
      const first = (row + 1) * board.stride + 1;
      grids.cells.set(board.tiles.subarray(first, first + board.width), row * board.width);
    }
    kernels.call("judge_all", game, grids, false, out);
    return { game, most: out.at(0) };
  });
  const { tile, open, number } = relaxed.game;
  const gold = cellsOf(board, GOLD);
  return {
    gold: gold.length, collected: dig.most, most: relaxed.most,
    dug: tile.cells.map((each, at) => Number(each === BRICK && open.at(at) > 0)),
    stuck: gold.filter((at) => number.at(at) === 0).map((at) => place(board, at)),
  };
}

/** One level on its way to a plan. */
export class Hunter {
  guide; // how far it is to the end
  #field;
  #kernels;
  #constants;
  #play; // a game to try plans in
  #start; // the state that plans are for
  #bare; // the level without men and gold
  #pair; // the game that is tried, and the same before a key
  #words; // of a node

  constructor(field, dug, state) {
    const { compiled: { libraries, constants }, compiled, board, memory } = field;
    if (2 * board.tiles.length ** 2 > memory) throw new Limit("memory");
    const { men, states: { BITS } } = constants;
    const kernels = new Kernels(libraries["loderunner-agent"], 4 * memory);
    [this.#field, this.#kernels, this.#constants, this.#play] = [field, kernels, constants, new Game(compiled, board)];
    const begun = this.#play.state;
    this.#start = state ?? begun;
    this.#bare = kernels.filled("u8", begun.tile.map((tile) => (tile === men.GOLD ? men.EMPTY : tile)));
    this.#pair = ["game", "before"].map((name) => [name, gameOn(kernels, constants, board)]);
    const gold = Int32Array.from(this.#start.tile.keys()).filter((at) => this.#start.tile[at] === men.GOLD);
    const none = kernels.array("i32", 1);
    this.guide = kernels.tuple("Guide", {
      free: true, ways: this.#ways(this.#bare.cells.slice(), dug), out: this.#out(dug), gold,
      way: [1, 1], rest: none, taken: none, join: [1, 1], cell: none, left: none, move: 1,
    });
    const guards = begun.men.length / men.MAN;
    this.#words = men.COUNTS + guards * men.MAN + 2 + 2 * men.MOST_HOLES + Math.ceil(board.tiles.length / BITS);
  }

  #ways(tile, dug) {
    const { distances: { FAR, UNKNOWN } } = this.#constants;
    const { offset, steps, shut } = waysOf(tile, dug, this.#field.board.stride, this.#constants);
    const { length } = tile;
    const ways = this.#kernels.tuple("Ways", { offset: Int32Array.from(offset), steps: [length, offset.length], far: [length, length], queue: length });
    ways.steps.cells.set(steps.flat().map(BigInt));
    const far = ways.far.cells.fill(UNKNOWN);
    for (const at of shut) far.fill(FAR, at * length, (at + 1) * length);
    return ways;
  }

  /** The steps from each cell to the top row with the hidden ladders shown; none without any. */
  #out(dug) {
    const { men: { HIDDEN, LADDER } } = this.#constants;
    const { stride, tiles: { length } } = this.#field.board;
    const bare = this.#bare.cells.slice();
    if (!bare.includes(HIDDEN)) return length;
    const ways = this.#ways(bare.map((tile) => (tile === HIDDEN ? LADDER : tile)), dug);
    this.#kernels.call("measure_all", ways);
    const far = ways.far.cells;
    return Int32Array.from({ length }, (_, at) => Math.min(...far.subarray(at * length + stride + 1, at * length + 2 * stride - 1)));
  }

  /** Why nobody wins, and the gold that tells it, where the walls alone do; null where they do not. Where there are
   * guards only solid walls do, for they carry gold. */
  walls({ gold, stuck }, most) {
    const { board } = this.#field;
    const { men } = this.#constants;
    const tile = this.#pair[0][1].tile.cells; // no game has begun: it still has the men
    const named = ([row, column]) => `the gold at row ${row + 1}, column ${column + 1}`;
    if (!tile.includes(men.GUARD)) {
      if (most === gold) return null;
      return { stuck, why: stuck.length ? `${named(stuck[0])} is out of reach` : `no walk collects more than ${most} of ${gold} pieces of gold` };
    }
    const shut = walledIn(tile, board.stride, men).map((at) => place(board, at));
    return shut.length ? { stuck: shut, why: `${named(shut[0])} is walled in` } : null;
  }

  /** Comes back with a plan that wins, or null where none does. */
  *win() {
    const { men: { TICK }, hunt: { HEAP, LAST_TICK }, win: { WEIGHTS, LATER, LATER_WEIGHTS, FIRST_NODES, MORE, ROUNDS, LOST_NODES, NODE_BYTES, PERIOD } } = this.#constants;
    const begun = this.#start.counts[TICK];
    for (let turn = 0; turn < ROUNDS; turn++) {
      const nodes = FIRST_NODES * MORE ** turn;
      if (nodes * (2 * this.#words + NODE_BYTES) > this.#field.memory) throw new Limit("memory");
      const room = this.room(nodes);
      for (const weights of turn < LATER ? WEIGHTS : LATER_WEIGHTS) {
        const plan = yield* this.#hunt(room, weights, 0);
        if (plan !== null) return plan;
      }
      if (turn > 0 || begun + LOST_NODES > LAST_TICK) continue; // later ticks do not fit into a node
      const lost = this.room(LOST_NODES);
      const plan = yield* this.#hunt(lost, WEIGHTS[0], multiple(PERIOD, this.#field.board.width));
      if (plan !== null) return plan;
      if (lost.tally.at(HEAP) === 0) return null;
    }
    throw new Limit("ideas");
  }

  /** The workspace of a hunt of so many nodes. */
  room(nodes) {
    const { hunt: { KEYS }, win: { MEETINGS } } = this.#constants;
    const most = nodes + KEYS;
    return this.#kernels.tuple("Hunt", {
      ...Object.fromEntries(this.#pair), bare: this.#bare, packed: [most, this.#words], parent: most, key: most, mark: most,
      cost: most, heap: most, table: 2 ** (32 - Math.clz32(4 * nodes)), met: MEETINGS, tally: 5,
    });
  }

  /** Searches until a plan is found, or nothing is left (null). */
  *#hunt(room, weights, period) {
    const { hunt: { NODES, FOUND }, win: { PORTION } } = this.#constants;
    put(room.game, this.#start);
    room.table.cells.fill(0n);
    for (const table of [room.met, room.tally]) table.cells.fill(table === room.tally ? 0n : 0);
    this.#kernels.call("start_hunt", room, this.guide);
    const [field, before, given] = [this.#field, this.#field.states, this.#kernels.filled("f64", weights)];
    for (let more = true; more;) {
      yield field.states;
      if (performance.now() >= field.deadline) throw new Limit("seconds");
      more = this.#kernels.call("hunt_on", room, this.guide, given, period, PORTION);
      field.states = before + room.tally.at(NODES);
    }
    return room.tally.at(FOUND) < 0 ? null : this.#withoutIdleDigs(pressesOf(written(this.#presses(room))));
  }

  /** The keys that led to the game that was won, and for how many ticks each stays. */
  #presses({ game, parent, key, packed, tally }) {
    const { men: { TICK }, hunt: { FOUND }, game: { KEYS } } = this.#constants;
    const presses = [];
    let end = game.counts.at(TICK);
    for (let node = tally.at(FOUND); parent.at(node) >= 0; node = parent.at(node)) {
      const begun = packed.at(parent.at(node) * this.#words + TICK);
      presses.unshift([KEYS[key.at(node)], end - begun]);
      end = begun;
    }
    return presses;
  }

  /** The plan with waits in place of digs that it wins as well without. */
  #withoutIdleDigs(presses) {
    let kept = presses;
    presses.forEach(([key, ticks], i) => {
      const fewer = kept.with(i, [".", ticks]);
      if (isDig(key) && this.#wins(fewer)) kept = fewer;
    });
    return written(kept);
  }

  /** Whether presses win with the last of them. */
  #wins(presses) {
    const keys = ticksOf(presses.map((press) => press.join("")).join(" "));
    const { ticks, status } = this.#play.outcome(keys, this.#start);
    return status === "won" && ticks === keys.length;
  }
}

/** The least number that both divide. */
function multiple(one, other) {
  let [a, b] = [one, other];
  while (b) [a, b] = [b, a % b];
  return (one / a) * other;
}
