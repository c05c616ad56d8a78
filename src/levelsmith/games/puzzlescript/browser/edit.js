// What is told of a PuzzleScript level on the page where it is drawn: whether it can be won, found out in the background.
import { ask } from "../../background.js";
import { plural } from "../../ui.js";
import { programOf } from "./game.js";

const programs = new WeakMap(); // by what the page was sent

/** Whether a drawing is a level, and whether it can be won. `game` has its program, and the objects of its tiles. */
export async function prove(text, { seconds, ...options }, game) {
  const board = boardOf(game, text);
  const { program: told, tiles } = game;
  if (!tiles.some(({ char, player }) => player && text.includes(char))) return { valid: false, status: "malformed", error: `expected a player in the level of ${game.name}, got none` };
  if (told.unsolvable) return { valid: true, status: "n/a", told: `the game ${told.unsolvable}: its levels cannot be solved` };
  if (!programs.has(told)) programs.set(told, programOf(told));
  const verdict = await ask("puzzlescript", "prove", { program: programs.get(told), ...board, seconds }, options);
  return { valid: true, ...verdict, moves: verdict.solution?.length };
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

export const solved = ({ solution }) => `solution of ${plural(solution.length, "key")}`;
