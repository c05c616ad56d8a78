// What is told of a PuzzleScript level on the page where it is drawn: whether it can be won, found out in the background.
import { ask } from "../../background.js";
import { plural } from "../../ui.js";
import { boardOf, programOf } from "./game.js";
import { unitOf } from "./prove.js";

const programs = new WeakMap(); // by what the page was sent

/** Whether a drawing is a level, and whether it can be won. `game` has its program, and the objects of its tiles. */
export async function prove(text, { seconds, ...options }, game) {
  const board = boardOf(game, text);
  const { program: told, tiles } = game;
  if (!tiles.some(({ char, player }) => player && text.includes(char))) return { valid: false, status: "malformed", error: `expected a player in the level of ${game.name}, got none` };
  if (told.unsolvable) return { valid: true, status: "n/a", told: `the game ${told.unsolvable}: its levels cannot be solved` };
  if (!programs.has(told)) programs.set(told, programOf(told));
  const verdict = await ask("puzzlescript", "prove", { program: programs.get(told), ...board, seconds }, options);
  return { valid: true, ...verdict, unit: unitOf(told), moves: verdict.solution?.length };
}

export const solved = ({ solution, unit = "key" }) => `solution of ${plural(solution.length, unit)}`;
