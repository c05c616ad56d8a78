// The game of Lode Runner with guards that chase, tick by tick, by the library's kernels.
import { Kernels } from "../../kernels.js";

/** @typedef {{men: Int32Array, holes: Int32Array, counts: Int32Array, tile: Uint8Array, now: Uint8Array, glances: Int32Array}} State */

const CHANGING = ["men", "holes", "counts", "tile", "now", "glances"]; // of a game

export const isDig = (key) => key === "L" || key === "R";

/** What a kernel takes of a game on a board, as men.make_game has it. */
export function gameOn(kernels, { men, game: { NUMBERS } }, { height, width, tiles }, exit = tiles.includes(NUMBERS.indexOf(men.HIDDEN))) {
  const guards = tiles.filter((tile) => NUMBERS[tile] === men.GUARD).length;
  const made = kernels.tuple("GuardedGame", {
    height, width, exit, men: [1 + guards, men.MAN], holes: [men.MOST_HOLES, 2], counts: men.COUNTS,
    tile: tiles.length, now: tiles.length, glances: [1 + guards, men.GLANCE], dice: 2,
  });
  lay(made, { men, game: { NUMBERS } }, tiles);
  return made;
}

/** Puts a level into a game that is to be begun. */
export function lay({ tile, now }, { men: { RING }, game: { NUMBERS } }, tiles) {
  tile.cells.set(tiles.map((each) => NUMBERS[each] ?? RING));
  now.cells.fill(RING);
}

/** All of a game that changes, to be kept. @returns {State} */
export const stateOf = (game) => Object.fromEntries(CHANGING.map((name) => [name, game[name].cells.slice()]));

/** Makes a game stand as it was kept. @param {State} state */
export function put(game, state) {
  for (const name of CHANGING) game[name].cells.set(state[name]);
}

/** A game; `tick` goes on with it. */
export class Game {
  #kernels;
  #constants;
  #game;
  #spare; // for keys that are only tried
  #keys;
  #many; // keys at once
  #start;

  /** It is won at the top where the level has hidden ladders, or `exit` says so; else with the last gold. */
  constructor({ libraries, constants }, board, exit) {
    this.#kernels = new Kernels(libraries["loderunner-game"]);
    this.#constants = constants;
    [this.#game, this.#spare] = [1, 2].map(() => gameOn(this.#kernels, constants, board, exit));
    [this.height, this.width, this.exit] = [board.height, board.width, this.#game.exit];
    this.#keys = this.#kernels.array("i8", 1);
    this.status = constants.game.STATUSES[this.#kernels.call("begin", this.#game)];
    this.pieces = this.left;
    this.#start = { state: this.state, status: this.status };
  }

  /** Goes on by a tick, with another key (l r u d, L R to dig, . for none) if one is given; returns the status. */
  tick(key = null) {
    const [, stands] = this.#run(this.#game, key);
    this.status = this.#constants.game.STATUSES[stands];
    return this.status;
  }

  restart() {
    put(this.#game, this.#start.state);
    this.status = this.#start.status;
  }

  /** Whether a way (l r u d) leads anywhere: whether the runner is moved by it in a tick. */
  leads(key) {
    const { MAN } = this.#constants.men;
    put(this.#spare, this.state);
    this.#run(this.#spare, key);
    const [before, after] = [this.#game, this.#spare].map(({ men }) => men.cells.subarray(0, MAN));
    return ["AT", "DY", "DX"].some((part) => before[this.#constants.men[part]] !== after[this.#constants.men[part]]);
  }

  /** All of it that changes. */
  get state() {
    return stateOf(this.#game);
  }

  /** The state at its start. */
  get first() {
    return this.#start.state;
  }

  ticksOf(state) {
    return state.counts[this.#constants.men.TICK];
  }

  /** Whether it stands as a state does; what guards saw last aside. */
  isAt(state) {
    return CHANGING.every((name) => name === "glances" || String(this.#game[name].cells) === String(state[name]));
  }

  /** Where keys, one a tick, lead from the start or a state: that, and the cells of the runner. */
  tried(keys, state = this.#start.state) {
    put(this.#spare, state);
    const cells = [this.#cell(this.#spare.men.at(this.#constants.men.AT))];
    for (const key of keys) {
      this.#run(this.#spare, key);
      const cell = this.#cell(this.#spare.men.at(this.#constants.men.AT));
      if (String(cell) !== String(cells.at(-1))) cells.push(cell);
    }
    return { state: stateOf(this.#spare), cells };
  }

  /** How keys, one a tick, end that are pressed from a state: the status, and after how many ticks. */
  outcome(keys, state) {
    const { game: { KEYS, STATUSES }, plan: { LONGEST } } = this.#constants;
    this.#many ??= this.#kernels.array("i8", LONGEST);
    this.#many.cells.set(keys.map((key) => (key === null ? -1 : KEYS.indexOf(key))));
    put(this.#spare, state);
    const [ticks, stands] = this.#kernels.call("run", this.#spare, this.#kernels.part(this.#many, keys.length));
    return { ticks, status: STATUSES[stands] };
  }

  #run(game, key) {
    this.#keys.put(0, key === null ? -1 : this.#constants.game.KEYS.indexOf(key));
    return this.#kernels.call("run", game, this.#keys);
  }

  #count(name) {
    return this.#game.counts.at(this.#constants.men[name]);
  }

  get ticks() {
    return this.#count("TICK");
  }

  get left() {
    return this.#count("LEFT_GOLD");
  }

  get falling() {
    return this.#count("FALLING") !== 0;
  }

  get key() {
    return this.#constants.game.KEYS[this.#count("KEY")];
  }

  /** The brick that is dug: [row, column, ticks since the key]. */
  get dig() {
    const at = this.#count("DIG_AT");
    return at ? [...this.#cell(at), this.#count("FRAME")] : null;
  }

  /** The open holes: [row, column, ticks until it fills], the oldest first. */
  get holes() {
    const { HOLE_AT, FILLS } = this.#constants.men;
    const cells = this.#game.holes.cells;
    return Array.from({ length: this.#count("HOLES") }, (_, i) => [...this.#cell(cells[2 * i + HOLE_AT]), cells[2 * i + FILLS] - this.ticks]);
  }

  /** A man: his cell, the offset from its middle, and of a guard how he is, the gold he has, how long he waits. */
  get runner() {
    return this.#man(0);
  }

  get guards() {
    return Array.from({ length: this.#game.men.shape[0] - 1 }, (_, i) => this.#man(i + 1));
  }

  #man(i) {
    const { MAN, AT, DY, DX, MODE, COUNT, WAIT } = this.#constants.men;
    const man = this.#game.men.cells.subarray(i * MAN, (i + 1) * MAN);
    const [row, column] = this.#cell(man[AT]);
    return { row, column, dy: man[DY], dx: man[DX], mode: this.#constants.game.MODES[man[MODE]], count: man[COUNT], wait: man[WAIT] };
  }

  /** The tiles, row by row; a brick that is dug is still brick. */
  get tiles() {
    const [tile, stride] = [this.#game.tile.cells, this.width + 2];
    return Array.from({ length: this.height }, (_, row) => [...tile.subarray((row + 1) * stride + 1, (row + 2) * stride - 1)]);
  }

  /** Sizes and times of the library. */
  get numbers() {
    return this.#constants.men;
  }

  /** What is in a cell at this moment, a man's mark above all. */
  nowAt(row, column) {
    return this.#game.now.at((row + 1) * (this.width + 2) + column + 1);
  }

  #cell(at) {
    const stride = this.width + 2;
    return [Math.floor(at / stride) - 1, (at % stride) - 1];
  }
}
