// What a Sokoban level begins with on the page where it is drawn, and what is told of it there.
import { gameOf } from "../../api.js";
import { ask, compiledOf } from "../../background.js";
import { plural } from "../../ui.js";
import { boardOf, check } from "./game.js";
import { stepsCard } from "./steps.js";

export const card = stepsCard;

export function begins(row, col, height, width) {
  if (row === 0 || col === 0 || row === height - 1 || col === width - 1) return "wall";
  return row === Math.floor(height / 2) && col === Math.floor(width / 2) ? "player" : "floor";
}

/** Whether a drawing is a level, and whether it can be solved, found out in the background. */
export async function prove(text, { seconds, ...options }) {
  const board = boardOf(await gameOf("sokoban"), text);
  const { constants } = await compiledOf("sokoban");
  try {
    check(board, constants);
  } catch (error) {
    return { valid: false, status: "malformed", error: error.message };
  }
  const { solution, ...verdict } = await ask("sokoban", "solve", { board, seconds }, options);
  return { valid: true, ...verdict, solution, moves: solution?.length };
}

/** How hard a level is, and in a word, by the shortest solution that was proved. @returns {Promise<{difficulty: number, tier: string}>} */
export async function rate(text, { solution }, options) {
  return ask("sokoban", "rate", { board: boardOf(await gameOf("sokoban"), text), solution }, { ...options, parts: ["sokoban make"] });
}

export const lacks = ({ boxes }) => (boxes === 0 ? "no boxes yet" : "");

export function solved({ solution, moves, pushes, metrics = {} }) {
  const push = pushes ?? metrics.pushes;
  return `solution of ${plural(moves ?? solution.length, "move")}${push ? `, ${plural(push, "push")}` : ""}`;
}
