// Lode Runner while its enemies stand still, by the library's kernels: a plan played move by move.
import { Kernels } from "../../kernels.js";
import { place } from "../../rules/cells.js";

export class Still {
  #kernels;
  #constants;
  #board;
  #game;
  #walk;
  #took;
  #moves;
  #length = 0; // moves that were made
  #end; // where they have led

  /** `most` is how many moves there may be. */
  constructor({ libraries, constants }, board, most) {
    const { rules: { HIDDEN, EMPTY, PLAYER, GOLD, ENEMY }, judge: { NO_DIG } } = constants;
    const cells = board.tiles.length;
    [this.#constants, this.#board] = [constants, board];
    this.#kernels = new Kernels(libraries["loderunner-agent"]);
    this.#game = judged(this.#kernels, board, NO_DIG);
    this.#walk = this.#kernels.tuple("Walk", { cost: 1, came: 1, origin: 1, ahead: 1, heads: 1, entry: [1, 2], fills: cells });
    this.#took = this.#kernels.array("i64", cells + 1);
    this.#moves = this.#kernels.array("u8", most);
    this.level = board.tiles.map((tile) => (tile === HIDDEN ? EMPTY : tile));
    this.enemies = [...this.level.keys()].filter((at) => this.level[at] === ENEMY);
    [this.start, this.pieces] = [this.level.indexOf(PLAYER), this.level.filter((tile) => tile === GOLD).length];
    this.restart();
  }

  restart() {
    this.#length = 0;
    this.#play(0);
  }

  /** Makes a move l r u d, a dig L R or a wait; says whether it could be made. */
  step(move) {
    this.#moves.put(this.#length, this.#constants.solve.LETTERS.indexOf(move));
    if (this.#play(this.#length + 1)) {
      this.#length += 1;
      return true;
    }
    this.#play(this.#length);
    return false;
  }

  /** Plays so many moves from the start; says whether all could be made. */
  #play(number) {
    this.#game.tile.cells.set(this.level);
    const [end, made] = this.#kernels.call("play", this.#game, this.#walk, this.start, this.#kernels.part(this.#moves, number), this.#took);
    this.#end = end;
    return made === number;
  }

  get runner() {
    return place(this.#board, this.#end);
  }

  get ticks() {
    const { rules: { DIG_TICKS }, solve: { LETTERS } } = this.#constants;
    return this.#moves.cells.subarray(0, this.#length).reduce((sum, move) => sum + ("LR".includes(LETTERS[move]) ? DIG_TICKS : 1), 0);
  }

  /** Pieces of gold that are left. */
  get left() {
    return this.pieces - this.#took.at(0);
  }

  /** The tiles as they are now: a hole is empty, and so is where a man stands. */
  get tiles() {
    const { rules: { BRICK, EMPTY, GOLD, ENEMY, PLAYER } } = this.#constants;
    const [fills, tiles, now] = [this.#walk.fills.cells, this.#game.tile.cells, this.ticks];
    return this.level.map((tile, at) => {
      if (tile === GOLD) return tiles[at];
      return [ENEMY, PLAYER].includes(tile) || (tile === BRICK && fills[at] > now) ? EMPTY : tile;
    });
  }
}

/** A board as the judge's kernels take it under one of its rule sets, as judge.make has it. */
export function judged(kernels, { height, width, stride, tiles }, rules) {
  const cells = tiles.length;
  const made = kernels.tuple("CompiledLodeRunner", {
    height, width, rules, tile: tiles, open: cells, worth: cells, number: cells, low: cells, most: cells, left: cells,
    path: cells, waiting: cells, step: Int32Array.of(-1, 1, -stride, stride, stride - 1, stride + 1), first: cells,
    turn: cells, jumps: [0, 2], seen: height * width, counts: 10, found: 4,
  });
  for (const name of ["first", "turn"]) made[name].cells.fill(-1);
  return made;
}
