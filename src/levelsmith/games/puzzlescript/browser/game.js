// One board of a PuzzleScript game in a page, played turn by turn by the library's kernels.
import { Kernels } from "../../kernels.js";

/**
 * @typedef {{shape: number[], bytes: Uint8Array}} Numbers of an array
 * @typedef {{board: Uint32Array, target: Uint32Array}} Position the objects of the cells, column after column, each
 * word in two halves, the lower first; and those that a restart goes to. It is never changed.
 */

/** Rules that do not come to an end. */
export class Endless extends Error {}

/** What a game is played by, as a page is sent it, with the numbers of arrays as bytes. @returns {Object} */
export function programOf(program) {
  const { rules, random, unseeded } = program;
  return { ...program, rules: unpacked(rules), random: unpacked(random).bytes, unseeded: unpacked(unseeded).bytes };
}

function unpacked(told) {
  if (typeof told !== "object") return told;
  if (told.base64 === undefined) return Object.fromEntries(Object.entries(told).map(([name, value]) => [name, unpacked(value)]));
  return { shape: told.shape, bytes: Uint8Array.from(atob(told.base64), (letter) => letter.charCodeAt(0)) };
}

/** A drawing as a board: the objects of its cells, column after column. */
export function boardOf({ tiles, name }, text) {
  const rows = text.split("\n");
  const [height, width] = [rows.length, rows[0].length];
  if (rows.some((row) => row.length !== width)) throw new Error("expected rows of equal length");
  const objects = new Map(tiles.map(({ char, objects: words }) => [char, words]));
  const cells = [];
  for (let col = 0; col < width; col++) {
    for (const row of rows) {
      const words = objects.get(row[col]);
      if (!words) throw new Error(`expected tiles of ${name}, got ${row[col]}`);
      cells.push(...words);
    }
  }
  return { height, width, board: Uint32Array.from(cells) };
}

/** Plays one board. */
export class Puzzle {
  #kernels;
  #codes;
  #at; // places of numbers in what a board has
  #cells; // that are put down
  #key;
  #kind;
  #outcome;

  /** @param {{libraries: Object, constants: Object}} compiled @param {Object} rules of `rulesOf` */
  constructor({ libraries, constants: { codes, state } }, rules, height, width) {
    const kernels = new Kernels(libraries["puzzlescript-turn"]);
    [this.#kernels, this.#codes, this.#at] = [kernels, codes, state];
    this.rules = kernels.tuple("Rules", rules);
    this.cells = height * width;
    this.state = emptyBoard(kernels, this.rules, { codes, state }, height, width);
    this.#cells = kernels.array("u64", this.cells, this.rules.words);
    [this.#key, this.#kind, this.#outcome] = [0, 0, 0].map(() => kernels.array("i64", 1));
  }

  set onWin(what) {
    this.state.control.put(this.#at.ON_WIN, what);
  }

  get onWin() {
    return this.state.control.at(this.#at.ON_WIN);
  }

  /** One more than the rule whose message is to be shown. */
  get told() {
    return this.state.control.at(this.#at.TOLD);
  }

  set told(rule) {
    this.state.control.put(this.#at.TOLD, rule);
  }

  /** Puts the board of a level down, and begins with the random numbers of a seed if they are given. */
  load(board, random = null) {
    this.#place(board, true);
    if (random) this.state.rng.cells.set(random);
  }

  /** Replaces the board, as undo does. */
  put(board) {
    this.#place(board, false);
  }

  board() {
    return halves(this.state.objects).slice();
  }

  /** @returns {Position} */
  get position() {
    const { target } = this.#kept;
    return { board: this.board(), target: target.slice() };
  }

  set position({ board, target }) {
    this.put(board);
    this.#kept.target.set(target);
  }

  /** Goes back to the checkpoint or the start of the level; what comes of the start turn. */
  restart() {
    return this.turn(null, this.#codes.RESTARTED);
  }

  /** Plays one turn, of a key or of time alone; what comes of it, as bits. With `settle` so are the again-turns. */
  turn(key, kind = this.#codes.PLAY, settle = false) {
    this.#key.put(0, key ?? -1);
    this.#kind.put(0, kind);
    this.#kernels.call("play_keys", this.rules, this.state, this.#key, this.#kind, settle, this.#outcome);
    const outcome = this.#outcome.at(0);
    if (outcome & this.#codes.STOPPED) throw new Endless(`expected rules that come to an end, got a turn that does not on ${this.cells} cells`);
    return outcome;
  }

  /** The places of rules that have changed or commanded anything so far. */
  get fired() {
    const { cells } = this.state.control;
    return [...cells.subarray(this.#at.FIRED).keys()].filter((rule) => cells[this.#at.FIRED + rule]);
  }

  get #kept() {
    const words = halves(this.state.kept);
    const size = words.length / 2;
    return { target: words.subarray(this.#at.TARGET * size, (this.#at.TARGET + 1) * size) };
  }

  #place(board, asTarget) {
    halves(this.#cells).set(board);
    this.#kernels.call("place", this.rules, this.state, this.#cells, asTarget);
  }
}

/** The words of an array in halves, the lower first. */
export function halves({ cells }) {
  return new Uint32Array(cells.buffer, cells.byteOffset, 2 * cells.length);
}

/** An empty board and the workspace for it, as kernels/state.py makes them. */
export function emptyBoard(kernels, rules, { codes: { UP, DOWN, LEFT, ENDS }, state: at }, height, width) {
  const cells = height * width;
  const words = Math.ceil(cells / at.WORD);
  const [w, v] = [rules.words, rules.move_words];
  const [layers] = rules.layer_sets.shape;
  const features = rules.objects + 5 * layers;
  const most = (numbers, least) => numbers.cells.reduce((one, other) => Math.max(one, Number(other)), least);
  const rows = most(rules.rules.row_count, 0);
  const parts = most(rules.rules.part_count, 1);
  const room = cells * (rows || 1) * Math.max(height, width) ** (parts - 1);
  const board = kernels.tuple("Board", {
    control: at.FIRED + rules.rules.line.length,
    objects: [cells, w],
    moves: [cells, v],
    sets: [features, words],
    counts: features,
    there: w + v,
    rng: 258,
    kept: [2, cells, w],
    flags: [6, words],
    starts: [most(rules.kind, 0) + 1, words],
    lists: [3, cells + 1],
    found: [Math.min(room, at.MOST_FOUND), 3],
    rows: [2, rows + 1],
    rigid: [3, rules.rigid ? cells : 0, v],
  });
  const control = { HEIGHT: height, WIDTH: width, CELLS: cells, SET_WORDS: words, ON_WIN: ENDS };
  for (const [place, value] of Object.entries(control)) board.control.put(at[place], value);
  const before = (y, x, direction) => (direction === UP ? y + 1 : direction === DOWN ? height - y : direction === LEFT ? x + 1 : width - x);
  const { row_first, row_count, direction } = rules.rules;
  for (let rule = 0; rule < direction.length; rule++) {
    for (let row = row_first.at(rule); row < row_first.at(rule) + row_count.at(rule); row++) {
      for (let i = 0; i < cells; i++) {
        if (before(i % height, Math.floor(i / height), direction.at(rule)) < rules.length.at(row)) continue;
        const word = rules.kind.at(row) * words + Math.floor(i / at.WORD);
        board.starts.cells[word] |= 1n << BigInt(i % at.WORD);
      }
    }
  }
  return board;
}
