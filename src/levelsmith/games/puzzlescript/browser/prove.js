// What can be said of a PuzzleScript position: the keys that win it, or that nobody can, and why.
import { solve } from "./solve.js";

export const KEYS = { u: 0, l: 1, d: 2, r: 3, x: 4, ".": "tick" }; // letters of solutions
export const NAMES = { u: "up", d: "down", l: "left", r: "right", x: "act" };
const LETTERS = Object.fromEntries(Object.entries(KEYS).map(([letter, key]) => [key, letter]));

/**
 * Solves a position, or the level `board`, of a program. Yields how many states it has met; comes back with {status,
 * solution, optimal, limit, states, turns, why, stuck}, where the solution is a text.
 */
export function* prove(compiled, { program, height, width, board, position = null, ...limits }) {
  const keys = [...program.letters].map((letter) => KEYS[letter]);
  const found = yield* solve(compiled, { program, height, width, position, board, keys, ...limits });
  return { ...found, solution: found.solution && found.solution.map((key) => LETTERS[key]).join("") };
}

/** Why no solution is known, in words. */
export function reason({ status, limit }) {
  if (status === "unsolvable") return "From here it cannot be won.";
  return { memory: "No solution was found in the memory that a page may take.", "endless turns": "Its turns do not come to rest." }[limit] ?? "No solution was found in time.";
}
