// Sokoban in a page, moved by the library's kernels: a position is never changed, so undo keeps the old ones.
import { Kernels } from "../../kernels.js";
import { cell, inside, place, read, table, write } from "../../rules/cells.js";

/**
 * @typedef {{height: number, width: number, stride: number, tiles: Uint8Array}} Board with a wall around it, which
 * belongs to no level; a cell is a place in `tiles`
 * @typedef {{tiles: Uint8Array, player: number, left: number}} Position `left`: boxes that are on no goal
 */

export { cell, place };
const MOVES = "udlr"; // by their numbers

/** The board in a text, by the tiles of the catalogue. @returns {Board} */
export function boardOf({ tiles }, text) {
  const wall = tiles.findIndex(({ name }) => name === "wall");
  const board = read(text, table(tiles.map(({ char, aliases }) => char + (aliases ?? ""))), 0, wall);
  return { ...board, tiles: Uint8Array.from(board.tiles) };
}

/** A position as text. */
export const textOf = ({ tiles: kinds }, board, { tiles }) => write(board, (at) => kinds[tiles[at]].char);

/** What tiles are, by their numbers in the library. */
export function kinds({ tiles: { WALL, BOX, GOAL, BOX_ON_GOAL, PLAYER, PLAYER_ON_GOAL } }) {
  const among = (...some) => (tile) => some.includes(tile);
  return {
    isWall: among(WALL),
    isBox: among(BOX, BOX_ON_GOAL),
    isGoal: among(GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL),
    isPlayer: among(PLAYER, PLAYER_ON_GOAL),
  };
}

/** Throws for what is no level, with the line that rules/rules.py has for it. */
export function check(board, constants) {
  const { isWall, isBox, isGoal, isPlayer } = kinds(constants);
  const { height, width, tiles } = board;
  const all = [...inside(board)];
  const count = (is) => all.filter((at) => is(tiles[at])).length;
  const [players, boxes, goals] = [isPlayer, isBox, isGoal].map(count);
  if (players !== 1) throw new Error(`expected one player, got ${players}`);
  if (boxes !== goals) {
    const [lacking, more] = boxes > goals ? ["goal", boxes - goals] : ["box", goals - boxes];
    const counted = (number, noun) => `${number} ${number === 1 ? noun : { box: "boxes", goal: "goals" }[noun]}`;
    throw new Error(`${counted(boxes, "box")} but ${counted(goals, "goal")}: add ${more === 1 ? `a ${lacking}` : counted(more, lacking)}`);
  }
  const edge = ([row, col]) => row === 0 || col === 0 || row === height - 1 || col === width - 1;
  const fixed = (at) => isBox(tiles[at]) && isGoal(tiles[at]) && edge(place(board, at)); // closes it as a wall does
  const open = reached(board, constants, fixed).find((at) => edge(place(board, at)));
  if (open !== undefined) {
    const [row, col] = place(board, open);
    throw new Error(`the wall is open at row ${row + 1}, column ${col + 1}`);
  }
}

/** The cells that the player could walk to if there were no boxes, those first that are found first. */
export function reached({ stride, tiles }, constants, fixed = () => false) {
  const { isWall, isPlayer } = kinds(constants);
  const waiting = [tiles.findIndex(isPlayer)];
  const seen = new Set(waiting);
  const found = [];
  while (waiting.length) {
    const at = waiting.pop();
    found.push(at);
    for (const there of [at - stride, at + stride, at - 1, at + 1]) {
      if (seen.has(there) || isWall(tiles[there]) || fixed(there)) continue;
      seen.add(there);
      waiting.push(there);
    }
  }
  return found;
}

/** The rules, by the kernels of the arena, for one board at a time. */
export class Game {
  #kernels;
  #arena;
  #moves;
  #out;
  #is;

  constructor({ libraries, constants }, board) {
    const kernels = new Kernels(libraries["sokoban-arena"]);
    const cells = board.tiles.length;
    const shapes = { tiles: [1, cells], player: 1, left: 1, steps: 1, fresh: 1, most: 1, rewards: 3 };
    this.#kernels = kernels;
    this.#is = kinds(constants);
    this.#arena = kernels.tuple("SokobanBoards", { width: board.stride, ...shapes });
    this.#out = kernels.tuple("Out", { views: [1, cells], rewards: 1, terminated: 1, truncated: 1 });
    this.#moves = kernels.array("i64", 1);
    this.#arena.tiles.cells.set(board.tiles);
    kernels.call("start", this.#arena, this.#moves);
    /** @type {Position} */
    this.start = this.#position();
  }

  /** The position after a move u d l r, or null where it is blocked. @param {Position} position @param {string} move */
  step(position, move) {
    const { tiles, player, left, fresh } = this.#arena;
    tiles.cells.set(position.tiles);
    player.put(0, position.player);
    left.put(0, position.left);
    fresh.put(0, 0);
    this.#moves.put(0, MOVES.indexOf(move));
    this.#kernels.call("step", this.#arena, this.#moves, this.#out);
    return player.at(0) === position.player ? null : this.#position();
  }

  /** Whether a move was a push. */
  pushed(before, after) {
    return this.#is.isBox(before.tiles[after.player]);
  }

  /** The fewest moves without a push to a cell, or null. */
  walk(start, goal) {
    const ways = new Map([[start.player, { position: start, moves: "" }]]);
    for (const { position, moves } of ways.values()) {
      if (position.player === goal) return moves;
      for (const move of MOVES) {
        const after = this.step(position, move);
        if (after && !ways.has(after.player) && !this.pushed(position, after)) ways.set(after.player, { position: after, moves: moves + move });
      }
    }
    return null;
  }

  /** The board on which a box alone is to get from one cell to another: the others are walls. */
  alone(board, position, box, goal, { FLOOR, WALL, BOX, GOAL, PLAYER, PLAYER_ON_GOAL }) {
    const { isBox, isWall, isPlayer } = this.#is;
    const tiles = position.tiles.map((tile, at) => {
      if (at === box) return BOX;
      if (isBox(tile) || isWall(tile)) return WALL;
      if (isPlayer(tile)) return at === goal ? PLAYER_ON_GOAL : PLAYER;
      return at === goal ? GOAL : FLOOR;
    });
    return { ...board, tiles };
  }

  #position() {
    const { tiles, player, left } = this.#arena;
    return { tiles: tiles.cells.slice(), player: player.at(0), left: left.at(0) };
  }
}
