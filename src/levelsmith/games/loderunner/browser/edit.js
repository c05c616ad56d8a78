// What a Lode Runner level begins with on the page where it is drawn, and what is told of it there.
import { RATE, isTimed, ticksOf } from "./rules/plan.js";

export function begins(row, col, height, width) {
  if (row === height - 1) return "brick";
  return row === height - 2 && col === width >> 1 ? "player" : "empty";
}

export const solved = ({ solution }) => (isTimed(solution) ? `won against the guards in ${Math.round(ticksOf(solution).length / RATE)} s` : "");
