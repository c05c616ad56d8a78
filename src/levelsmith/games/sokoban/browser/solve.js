// The solver of Sokoban around its kernels, as games/sokoban/solver has it: tables made, searched portion by portion, the
// way read back. It is a generator, so that whoever runs it may look up, or stop, after each portion.
import { Kernels, OutOfMemory } from "../../kernels.js";
import { kinds, place, reached } from "./game.js";

const MEMORY = 256e6; // bytes for tables; a page may have little
const STORE = 48; // bytes of a state, beside 8 for each word of boxes

/** Raised where a limit is reached: `seconds`, `states` or `memory`. */
class Limit extends Error {}

/**
 * Solves a board with the fewest pushes and, among those solutions, few moves, or proves that nobody can. Yields how many
 * states it has seen; comes back with {status, solution, pushes, optimal, limit, states, why, stuck}, where `stuck` are the
 * cells [row, col] of boxes that tell by themselves why it cannot be solved.
 */
export function* solve({ libraries, constants }, { board, seconds = Infinity, memory = MEMORY }) {
  const clock = { states: 0, most: Infinity, deadline: performance.now() + 1000 * seconds };
  const verdict = { status: "unsolvable", solution: null, optimal: false, limit: null, why: null, stuck: [] };
  try {
    const field = new Field(libraries["sokoban-solver"], constants, board, clock, memory);
    const hunt = field.isHopeless ? null : yield* shortest(field);
    if (hunt) Object.assign(verdict, { status: "solved", solution: field.lurd(hunt.way), pushes: hunt.pushes, optimal: hunt.isOptimal });
    else Object.assign(verdict, reason(field));
  } catch (error) {
    if (!(error instanceof Limit || error instanceof OutOfMemory)) throw error;
    Object.assign(verdict, { status: "unknown", limit: error instanceof Limit ? error.message : "memory" });
  }
  return { ...verdict, states: clock.states };
}

/** A board made ready for the kernels: the cells that the player could walk to if there were no boxes, by number. */
export class Field {
  constructor(library, constants, board, clock, memory) {
    const { isBox, isGoal, isPlayer } = kinds(constants);
    this.cells = reached(board, constants).sort((one, other) => one - other);
    const number = new Map(this.cells.map((at, i) => [at, i]));
    const numbers = (is) => Int32Array.from([...this.cells.keys()].filter((i) => is(board.tiles[this.cells[i]])));
    [this.constants, this.board, this.clock] = [constants, board, clock];
    [this.boxes, this.goals, [this.player]] = [numbers(isBox), numbers(isGoal), numbers(isPlayer)];
    this.strays = [...board.tiles.keys()].filter((at) => isBox(board.tiles[at]) && !isGoal(board.tiles[at]) && !number.has(at));
    this.isHopeless = this.strays.length > 0 || this.boxes.length !== this.goals.length;
    const [cells, goals] = [this.cells.length, this.goals.length];
    this.room = memory - (cells * cells + 8 * cells * goals + 60 * cells); // bytes left for states
    if (this.room < 0) throw new Limit("memory");
    this.kernels = new Kernels(library, 4 * memory); // while tables grow, the old ones are there as well
    this.maze = this.kernels.tuple("Maze", {
      beside: [cells + 1, 4], goals: this.goals, on_goal: cells + 1, part_of: [cells, cells],
      distance: [cells, 4, goals], alive: [cells, 4], rank: cells + 1,
    });
    const steps = [-board.stride, board.stride, -1, 1];
    this.maze.beside.cells.set([...this.cells.flatMap((at) => steps.map((step) => number.get(at + step) ?? cells)), ...Array(4).fill(cells)]);
    for (const goal of this.goals) this.maze.on_goal.put(goal, 1);
    this.kernels.call("survey", this.maze, this.workspace(), false);
  }

  workspace() {
    const { search: { PLACES }, matching: { MOST_MATCHED }, maze: { NOWHERE } } = this.constants;
    const [cells, boxes] = [this.cells.length, this.boxes.length];
    const matched = boxes <= MOST_MATCHED ? boxes : 1;
    const made = this.kernels.tuple("SolverWorkspace", {
      tally: PLACES, boxes: Math.ceil(cells / 64), at: this.boxes, occupied: cells + 1, held: cells + 1, region: cells + 1,
      steps: cells + 1, marks: cells + 1, queue: 4 * cells, corrals: [3, cells + 2], cost: [matched, matched], ways: boxes,
      match: [8, boxes + 1],
    });
    made.region.cells.fill(NOWHERE);
    return made;
  }

  /** An empty table of states. */
  store(words, priorities, room) {
    const { tables: { NODE_COLUMNS }, maze: { NOWHERE } } = this.constants;
    const slots = 2 ** (32 - Math.clz32(2 * room - 1)); // a power of two, at least half of them free
    const made = this.kernels.tuple("StateTable", { boxes: [room, words], nodes: [room, NODE_COLUMNS], table: slots, heads: priorities });
    for (const table of [made.table, made.heads]) table.cells.fill(NOWHERE);
    return made;
  }

  /** The moves of a solution, by the shortest way from push to push. */
  lurd(pushes) {
    const moves = this.kernels.array("u8", pushes.length * this.cells.length + 1);
    const number = this.kernels.call("write_moves", this.maze, this.workspace(), this.kernels.filled("i64", pushes), this.player, moves);
    return Array.from(moves.cells.subarray(0, number), (move) => this.constants.hunt.LETTERS[move]).join("");
  }
}

/** One search from the start of a level. */
class Hunt {
  #field;
  #tally;
  #workspace;
  #store;
  #portion;
  #ended;

  constructor(field, kind, { bound = 0, share = 1, width = 0 } = {}) {
    const { search: at, hunt, tables, maze } = field.constants;
    const [boxes, cells] = [field.boxes.length, field.cells.length];
    this.#field = field;
    this.#workspace = field.workspace();
    this.#tally = this.#workspace.tally;
    const told = { KIND: kind, WEIGHT: 1, BOUND: bound, HOME: maze.NOWHERE, WIDTH: width };
    for (const [place, value] of Object.entries(told)) this.#tally.put(at[place], value);
    const words = this.#workspace.boxes.length;
    this.children = 4 * boxes; // of one expansion
    this.mostRoom = Math.floor(Math.floor(field.room / share) / (STORE + 8 * words));
    this.room = Math.min(Math.max(tables.FIRST_ROOM, 2 * this.children + cells), this.mostRoom);
    if (this.room < this.children + 1) throw new Limit("memory");
    this.mostPortion = Math.max(1, Math.min(hunt.LARGEST_PORTION, Math.floor(hunt.WORK / (4 * boxes * (cells + boxes ** 2) + 1))));
    this.#portion = Math.min(hunt.FIRST_PORTION, this.mostPortion);
    this.#store = field.store(words, kind === at.BEST_FIRST ? hunt.PRIORITIES : bound + 2, this.room);
    field.kernels.call("begin", field.maze, this.#store, this.#workspace, field.player);
    this.begun = this.#tally.at(at.STATES);
    this.#ended = this.begun ? at.GOING_ON : at.EXHAUSTED;
    this.counted = 0;
  }

  /** Comes back with whether there is a solution. */
  *run() {
    const { kernels, maze, clock, constants: { search: at, tables } } = this.#field;
    while (this.#ended !== at.FOUND && this.#ended !== at.EXHAUSTED) {
      yield clock.states;
      if (clock.states >= clock.most) throw new Limit("states");
      if (performance.now() >= clock.deadline) throw new Limit("seconds");
      // No more than cannot go far beyond a limit of states.
      const portion = Math.max(1, Math.min(this.#portion, Math.floor((clock.most - clock.states) / (this.children + 1))));
      this.#ended = kernels.call("search", maze, this.#store, this.#workspace, portion);
      this.#portion = Math.min(2 * this.#portion, this.mostPortion);
      const states = this.#tally.at(at.STATES);
      clock.states += states - this.counted;
      this.counted = states;
      if (this.#ended === at.FULL) this.#grow(states, tables.GROWTH);
    }
    return this.#ended === at.FOUND;
  }

  #grow(states, growth) {
    const room = Math.min(growth * this.room, this.mostRoom);
    if (room < states + this.children) throw new Limit("memory");
    const old = this.#store;
    this.room = room;
    this.#store = { ...this.#field.store(old.boxes.shape[1], 1, room), heads: old.heads };
    for (const name of ["boxes", "nodes"]) this.#store[name].cells.set(old[name].cells.subarray(0, states * old[name].shape[1]));
    this.#field.kernels.call("rehash", this.#store, states);
  }

  #node(state, column) {
    const { search, tables } = this.#field.constants;
    return this.#store.nodes.at(state * tables.NODE_COLUMNS + search[column]);
  }

  #told(name) {
    return this.#tally.at(this.#field.constants.search[name]);
  }

  get pushes() {
    return this.#node(this.#told("GOAL_STATE"), "PUSHES");
  }

  /** Of the solution found: its moves. */
  get label() {
    return this.#node(this.#told("GOAL_STATE"), "LABEL");
  }

  get isOptimal() {
    return this.#told("LOWEST") < this.#store.heads.length - 1 || this.pushes === this.#node(0, "LEFT");
  }

  /** The pushes of the solution, each a cell and a direction in one number. */
  get way() {
    const found = [];
    for (let state = this.#told("GOAL_STATE"); this.#node(state, "PARENT") >= 0; state = this.#node(state, "PARENT")) found.unshift(this.#node(state, "PUSH"));
    return found;
  }
}

/** A search that found a solution with the fewest pushes and few moves, or the fewest where that takes little more. */
function* shortest(field) {
  const { search: { BEST_FIRST, FEWEST_MOVES }, solve: { SOON, WIDTHS } } = field.constants;
  const hunt = new Hunt(field, BEST_FIRST);
  if (!(yield* hunt.run())) return null;
  const again = (width) => new Hunt(field, FEWEST_MOVES, { bound: hunt.pushes, share: 2, width });
  const { clock } = field;
  clock.most = clock.states + SOON;
  try {
    const through = again(0);
    yield* through.run();
    return through;
  } catch (error) {
    if (!(error instanceof Limit)) throw error;
  } finally {
    clock.most = Infinity;
  }
  for (const width of WIDTHS) {
    try {
      const through = again(width);
      if (yield* through.run()) return through.label < field.lurd(hunt.way).length ? through : hunt;
    } catch (error) {
      if (!(error instanceof Limit)) throw error;
    }
  }
  return hunt;
}

/** Which boxes tell by themselves that a board cannot be solved, and the words for the first. */
function reason({ cells, boxes, goals, player, strays, maze, board, constants: { maze: { FAR } } }) {
  const [distance, beside, part] = [maze.distance.cells, maze.beside.cells, maze.part_of.cells];
  const far = (box) => {
    const at = (4 * box + part[box * cells.length + player]) * goals.length;
    return distance.subarray(at, at + goals.length).every((pushes) => pushes === FAR);
  };
  const dead = [...strays, ...[...boxes].filter(far).map((box) => cells[box])].sort((one, other) => one - other);
  // Boxes that nothing will ever move: along both axes there is a wall or another of them.
  const fixed = new Set(boxes);
  const holds = (there) => there === cells.length || fixed.has(there);
  const moves = (box) => [0, 2].some((axis) => !holds(beside[4 * box + axis]) && !holds(beside[4 * box + axis + 1]));
  for (let count = -1; count !== fixed.size;) {
    count = fixed.size;
    for (const box of fixed) if (moves(box)) fixed.delete(box);
  }
  const frozen = [...fixed].filter((box) => !goals.includes(box)).map((box) => cells[box]);
  const named = ([at]) => place(board, at).map((index, i) => `${["row", "column"][i]} ${index + 1}`).join(", ");
  const why = dead.length ? `no pushes bring the box at ${named(dead)} to a goal` : frozen.length ? `nothing moves the box at ${named(frozen)} any more` : null;
  return { why, stuck: [...new Set([...dead, ...frozen])].map((at) => place(board, at)) };
}
