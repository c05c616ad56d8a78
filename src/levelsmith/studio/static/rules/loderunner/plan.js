// Plans as text, as games/loderunner/rules/plan.py has them: `r45 L12 .5` against guards, letters alone while nobody moves.

/** Whether a plan says how long each key stays: whether it was made against guards. */
export const isTimed = (plan) => /\d/.test(plan);

/** The key that each tick of a plan begins with, null where the one before stays. */
export function ticksOf(plan) {
  return plan.trim().split(/\s+/).flatMap((press) => [press[0], ...new Array(Number(press.slice(1)) - 1).fill(null)]);
}
