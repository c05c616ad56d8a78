// The solver of PuzzleScript around its kernels, as games/puzzlescript/solve.py has it: states met portion by portion,
// room made, the keys read back. It is a generator, so that whoever runs it may look up, or stop, after each portion.
import { Kernels, OutOfMemory } from "../../kernels.js";
import { Endless, Puzzle } from "./game.js";
import { guideOf, numbersOf } from "./guide.js";
import { reasons } from "./why.js";

const MEMORY = 256e6; // bytes for states; a page may have little
const MOST = 4; // times as much while room is made, for what was there before stays there
const PORTION = 20; // milliseconds
const FIRST_BITS = 64; // of a state

/** Raised where a limit is reached: `seconds`, `states` or `memory`. */
class Limit extends Error {}

/**
 * Solves a board with the fewest keys, or proves that nobody can: from a position, or from the start of a level, which
 * rules may change. `keys` are those that are pressed, by their numbers. Yields how many states it has met; comes back
 * with {status, solution, optimal, limit, states, turns, why, stuck}, where the solution is a list of keys, and `why` and
 * `stuck` are those of why.js.
 */
export function* solve(compiled, { program, height, width, position, board, keys, seconds = Infinity, states = Infinity, memory = MEMORY }) {
  const { rules } = program;
  const clock = { states: 0, most: states, deadline: performance.now() + 1000 * seconds };
  const verdict = { status: "unsolvable", solution: null, optimal: false, limit: null, why: null, stuck: [] };
  let hunt = null;
  try {
    const puzzle = new Puzzle(compiled, rules, height, width);
    if (position) puzzle.position = position;
    else begin(puzzle, board, compiled.constants);
    const guide = guideOf(compiled, rules, puzzle, keys);
    hunt = new Hunt(compiled, puzzle, { rules, keys, clock, memory, guide });
    const solution = yield* hunt.run();
    if (solution) Object.assign(verdict, { status: "solved", solution, optimal: hunt.isSure });
    else if (!hunt.isSure) Object.assign(verdict, { status: "unknown", limit: "endless turns" });
    else Object.assign(verdict, reasons(compiled, program, puzzle, guide));
  } catch (error) {
    if (!(error instanceof Limit || error instanceof OutOfMemory || error instanceof Endless)) throw error;
    Object.assign(verdict, { status: "unknown", limit: error instanceof Limit ? error.message : error instanceof Endless ? "endless turns" : "memory" });
  }
  return { ...verdict, states: clock.states, turns: hunt?.turns ?? 0 };
}

/** Puts the start of a level down. */
function begin(puzzle, level, { codes: { ENDS, START } }) {
  puzzle.load(level);
  puzzle.onWin = ENDS;
  if (puzzle.rules.start_turn) puzzle.turn(null, START, true);
}

/** The search through the states that keys lead to. */
class Hunt {
  #kernels;
  #at; // places of numbers
  #solve;
  #rules;
  #board;
  #search;
  #guide;
  #keys;
  #graph;
  #clock;
  #memory;

  constructor({ libraries, constants }, puzzle, { rules, keys, clock, memory, guide }) {
    const kernels = new Kernels(libraries["puzzlescript-spread"], MOST * memory);
    [this.#kernels, this.#at, this.#solve] = [kernels, constants.spread, constants.solve];
    [this.#clock, this.#memory] = [clock, memory];
    this.#rules = kernels.tuple("Rules", rules);
    this.#board = kernels.tuple("Board", numbersOf(puzzle.state));
    this.#keys = kernels.filled("i64", keys);
    this.#graph = kernels.array("i32", 0, 0);
    const { codes: { CHECKPOINT, RESTART, ENDS }, state: { ON_WIN } } = constants;
    this.#board.control.put(ON_WIN, ENDS);
    const commands = this.#rules.rules.commands.cells.reduce((all, one) => all | Number(one), 0);
    const places = puzzle.cells * (commands & CHECKPOINT && commands & RESTART ? 2 : 1);
    this.#guide = kernels.tuple("Guide", numbersOf(guide));
    this.#search = this.#empty(places);
    this.#makeRoom(constants.solve.FIRST_ROOM);
    this.#put("NEXT_KEY", keys.length);
    kernels.call("begin", this.#board, this.#search, this.#guide);
    this.#spread(0, 0);
  }

  #empty(places) {
    const { MOST_BITS, NOBODY, TALLIES } = this.#at;
    const { words } = this.#rules;
    const wide = FIRST_BITS / 64;
    const made = this.#kernels.tuple("Search", {
      slot: powerAbove(2 * places), held: [places, words], place: places, code: places, by_code: [places, 4], codes: places,
      bits: [places, MOST_BITS], owner: [FIRST_BITS, 2], now: places, words, packed: [2, wide], touched: places,
      states: [0, wide], links: [0, 4], key: 0, table: 1, queues: 1 << 12, pairs: [0, 1], sight: places, tally: TALLIES,
    });
    for (const name of ["slot", "table", "queues"]) made[name].cells.fill(NOBODY);
    return made;
  }

  /** Comes back with the keys of a shortest solution, or null where there is none. */
  *run() {
    const { FOUND, GOING_ON, IS_FULL, IS_WON } = this.#at;
    for (let portion = this.#solve.FIRST_PORTION; ;) {
      yield this.#clock.states;
      if (this.#clock.states >= this.#clock.most) throw new Limit("states");
      if (performance.now() >= this.#clock.deadline) throw new Limit("seconds");
      const started = performance.now();
      const came = this.#spread(portion, Math.min(this.#clock.most, this.#solve.NO_LIMIT));
      const taken = performance.now() - started;
      this.#clock.states = Math.max(1, this.#search.tally.at(FOUND)); // the start is met, even if it is hopeless
      if (came === IS_WON) return this.#solution();
      if (came === IS_FULL) this.#grow();
      else if (came !== GOING_ON) return null;
      portion = Math.max(1, Math.min(2 * portion, Math.floor(portion * PORTION / Math.max(taken, 0.001))));
    }
  }

  #spread(portion, limit) {
    return this.#kernels.call("spread", this.#rules, this.#board, this.#search, this.#guide, this.#keys, portion, limit, this.#graph);
  }

  /** Whether all turns came to rest. */
  get isSure() {
    return this.#told("LOOSE") === 0;
  }

  get turns() {
    return this.#told("TURNS");
  }

  #told(name) {
    return this.#search.tally.at(this.#at[name]);
  }

  #put(name, value) {
    this.#search.tally.put(this.#at[name], value);
  }

  /** Makes more room of every kind that is used up. */
  #grow() {
    const { MOST_BITS } = this.#at;
    const search = this.#search;
    const [held, found] = [this.#told("HELD"), this.#told("FOUND")];
    const codes = search.codes.cells.reduce((one, other) => Math.max(one, other), 0);
    let full = found < search.key.length; // else there are as many states as there is room for
    if (held === search.place.length) {
      for (const name of ["held", "place", "code"]) this.#widen(name, 0);
      this.#anew("slot", powerAbove(2 * search.place.length));
      full = false;
    }
    if (codes === 1 << MOST_BITS) throw new Limit("memory");
    if (codes === search.by_code.shape[1]) {
      this.#widen("by_code", 1);
      full = false;
    }
    if (this.#told("BITS") === search.owner.shape[0]) {
      this.#widen("owner", 0);
      for (const name of ["packed", "states"]) this.#widen(name, 1);
      this.#anew("table", search.table.length);
      full = false;
    }
    if (full) this.#widen("queues", 0, this.#at.NOBODY); // a solution of so many keys
    if (found === search.key.length) this.#makeRoom(2 * found);
    this.#kernels.call("fill_table", search);
  }

  /** Makes room for so many states, or as many as there is memory for. */
  #makeRoom(wanted) {
    const search = this.#search;
    const { STATE_BYTES, GROWING } = this.#solve;
    const aside = ["held", "by_code", "queues"].reduce((sum, name) => sum + search[name].bytes.length, 0);
    const most = Math.floor((this.#memory - aside) / (GROWING * (8 * search.packed.shape[1] + STATE_BYTES)));
    const room = Math.min(wanted, most);
    if (room <= this.#told("FOUND")) throw new Limit("memory");
    for (const name of ["states", "links", "key"]) this.#resize(name, [room, ...search[name].shape.slice(1)]);
    this.#anew("table", powerAbove(Math.floor(1.5 * room)));
  }

  /** An empty table in place of one. */
  #anew(name, size) {
    if (this.#search[name].length !== size) this.#search[name] = this.#kernels.array("i32", size);
    this.#search[name].cells.fill(this.#at.NOBODY);
  }

  /** Makes an array twice as long along an axis. */
  #widen(name, axis, otherwise = 0) {
    this.#resize(name, this.#search[name].shape.map((side, i) => (i === axis ? 2 * side : side)), otherwise);
  }

  /** Makes room in an array: what is there stays at its row and column. */
  #resize(name, shape, otherwise = 0) {
    const old = this.#search[name];
    const made = this.#kernels.array(old.word, ...shape);
    if (otherwise) made.cells.fill(otherwise);
    const [columns, before] = [shape[1] ?? 1, old.shape[1] ?? 1];
    const [to, from] = [made.cells, old.cells];
    if (columns === before) to.set(from.subarray(0, Math.min(from.length, to.length)));
    else for (let row = 0; row < old.shape[0]; row++) to.set(from.subarray(row * before, (row + 1) * before), row * columns);
    this.#search[name] = made;
  }

  /** The keys that lead to the state looked at, and the one that wins. */
  #solution() {
    const { links, key } = this.#search;
    const parent = (state) => links.at(state * links.shape[1] + this.#at.PARENT);
    const found = [this.#told("WINNING")];
    for (let state = this.#told("LOOKED_AT"); parent(state) !== this.#at.NOBODY; state = parent(state)) found.unshift(key.at(state));
    return found;
  }
}

const powerAbove = (number) => 2 ** Math.floor(Math.log2(number) + 1); // as 1 << number.bit_length()
