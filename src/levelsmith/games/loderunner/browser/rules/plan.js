// Plans as text, as games/loderunner/rules/plan.py has them: `r45 L12 .5` against guards, letters alone while nobody moves.

export const RATE = 23; // ticks a second at normal speed, as Total Recall has it: 4.6 cells

/** Whether a plan says how long each key stays: whether it was made against guards. */
export const isTimed = (plan) => /^[lrudLR.]\d+( |$)/.test(plan);

/** The key that each tick of a plan begins with, null where the one before stays. */
export function ticksOf(plan) {
  return plan.trim().split(/\s+/).flatMap((press) => [press[0], ...new Array(Number(press.slice(1)) - 1).fill(null)]);
}
