// What a Lode Runner level begins with on the page where it is drawn, and what is told of it there.
import { gameOf } from "../../api.js";
import { ask, compiledOf } from "../../background.js";
import { boardOf, faultOf } from "./level.js";
import { RATE, isTimed, ticksOf } from "./plan.js";

export function begins(row, col, height, width) {
  if (row === height - 1) return "brick";
  return row === height - 2 && col === width >> 1 ? "player" : "empty";
}

/** Whether a drawing is a level, and whether it can be won against its guards, found out in the background. */
export async function prove(text, { seconds, ...options }) {
  const board = boardOf(await gameOf("loderunner"), text);
  const { constants } = await compiledOf("loderunner");
  const fault = faultOf(board, constants);
  if (fault) return { valid: false, status: "malformed", ...fault };
  const verdict = await ask("loderunner", "win", { board, seconds }, options);
  return { valid: true, ...verdict, told: verdict.status === "unknown" ? told(verdict) : undefined };
}

/** What the judge says where no plan is found. */
const told = ({ gold, collected }) => `no plan was found in time; ${collected === gold ? "the judge reaches all the gold" : `the judge reaches ${collected} of ${gold} pieces of gold`}`;

/** How long a plan takes against the guards, and in which share of replays with chance it wins, where that is measured. */
export function solved({ solution, metrics }) {
  if (!isTimed(solution)) return "";
  const won = `won against the guards in ${Math.round(ticksOf(solution).length / RATE)} s`;
  return metrics?.steady === undefined || metrics.steady === null ? won : `${won}, steady ${metrics.steady}`;
}
