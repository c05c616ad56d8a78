// What a Sokoban level begins with on the page where it is drawn, and what is told of it there.
import { plural } from "../../ui.js";

export { stepsCard as card } from "./steps.js";

export function begins(row, col, height, width) {
  if (row === 0 || col === 0 || row === height - 1 || col === width - 1) return "wall";
  return row === Math.floor(height / 2) && col === Math.floor(width / 2) ? "player" : "floor";
}

export const lacks = ({ boxes }) => (boxes === 0 ? "no boxes yet" : "");

export function solved({ solution, moves, pushes, metrics = {} }) {
  const push = pushes ?? metrics.pushes;
  return `solution of ${plural(moves ?? solution.length, "move")}${push ? `, ${plural(push, "push")}` : ""}`;
}
