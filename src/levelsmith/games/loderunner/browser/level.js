// Levels of Lode Runner in a page: read from text, and refused with the lines of the command.
import { inside, place, read, table } from "../../rules/cells.js";

/** @typedef {{height: number, width: number, stride: number, tiles: Uint8Array}} Board with a ring around the level,
 * which is of no tile; a cell is a place in `tiles` */

/** The board in a text, by the tiles of the catalogue. @returns {Board} */
export function boardOf({ name, tiles }, text) {
  const symbols = table(tiles.map(({ char, aliases }) => char + (aliases ?? "")));
  const rows = text.replace(/^\n+|\n+$/g, "").split("\n");
  const width = Math.max(...rows.map((row) => row.length));
  rows.forEach((row, i) => {
    if (row.length < width) throw new Error(`expected rows of equal length, got ${row.length} cells on line ${i + 1} where the longest has ${width}`);
    const column = [...row].findIndex((symbol) => !symbols.has(symbol));
    if (column < 0) return;
    const legend = tiles.map((tile) => `${tile.char} ${tile.name}`).join(", ");
    throw new Error(`expected tiles of ${name} (${legend}), got '${[...row][column]}' on line ${i + 1}, column ${column + 1}`);
  });
  const board = read(text, symbols, null, tiles.length);
  return { ...board, tiles: Uint8Array.from(board.tiles) };
}

/** The cells of a tile. */
export const cellsOf = (board, tile) => [...inside(board)].filter((at) => board.tiles[at] === tile);

/** Why a board cannot be played, in the words of the studio, and the cells that are too many; null where it can. */
export function faultOf(board, { rules: { PLAYER, GOLD, SIDES: [least, most] } }) {
  const { height, width } = board;
  if (Math.min(height, width) < least || Math.max(height, width) > most) {
    return { error: `expected a level from ${least}x${least} to ${most}x${most} cells, got ${width}x${height}`, stuck: [] };
  }
  const players = cellsOf(board, PLAYER).map((at) => place(board, at));
  const places = players.slice(0, 5).map(([row, column]) => `row ${row + 1}, column ${column + 1}`).join("; ");
  const told = (error, stuck = []) => ({ error: `this level of loderunner cannot be played: ${error}`, stuck });
  if (!players.length) return told("expected one player (M), got none; paint one");
  if (players.length > 1) return told(`expected one player (M), got ${players.length} at ${places}`, players);
  if (!cellsOf(board, GOLD).length) return told("expected at least one piece of gold (G), got none");
  return null;
}

/** Throws where a board cannot be played. */
export function check(board, constants) {
  const fault = faultOf(board, constants);
  if (fault) throw new Error(fault.error);
}
