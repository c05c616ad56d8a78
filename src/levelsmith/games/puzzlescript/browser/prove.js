// What can be said of a PuzzleScript position: the keys that win it, or that nobody can, and why.
import { solve } from "./solve.js";

export const NAMES = { u: "up", d: "down", l: "left", r: "right", x: "act", ".": "wait" };

/** What the letters of a solution are called together: turns where some go by themselves, else keys. */
export const unitOf = ({ realtime }) => (realtime ? "turn" : "key");

/**
 * Solves a position, or the level `board`, of a program. Yields how many states it has met; comes back with {status,
 * solution, optimal, limit, states, turns, why, stuck}, where the solution is a text.
 */
export function* prove(compiled, { program, height, width, board, position = null, ...limits }) {
  const { KEYS, LETTERS, LAST_BYTE, NO_KEY } = compiled.constants.solve;
  const keys = [...program.letters].map((letter) => (KEYS[letter] === "tick" ? NO_KEY : KEYS[letter]));
  const found = yield* solve(compiled, { program, height, width, position, board, keys, ...limits });
  return { ...found, solution: found.solution && found.solution.map((key) => LETTERS[key & LAST_BYTE]).join("") };
}

/** Why no solution is known, in words. */
export function reason({ status, limit }) {
  if (status === "unsolvable") return "From here it cannot be won.";
  return { memory: "No solution was found in the memory that a page may take.", "endless turns": "Its turns do not come to rest." }[limit] ?? "No solution was found in time.";
}
