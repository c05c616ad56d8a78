// Plans as text, as games/loderunner/rules/plan.py has them: `r45 L12 .5` against guards, letters alone while nobody moves.

export const RATE = 23; // ticks a second at normal speed, as live.py has it: 4.6 cells

/** Whether a plan says how long each key stays: whether it was made against guards. */
export const isTimed = (plan) => /[0-9]/.test(plan);

/** The presses of a plan: [key, ticks]. */
export const pressesOf = (plan) => plan.trim().split(/\s+/).map((press) => [press[0], Number(press.slice(1))]);

/** The key that each tick of a plan begins with, null where the one before stays. */
export function ticksOf(plan) {
  return pressesOf(plan).flatMap(([key, ticks]) => [key, ...new Array(ticks - 1).fill(null)]);
}

/** A plan as text; a way that is pressed again at once is one press. */
export function written(presses) {
  const joined = [];
  for (const [key, ticks] of presses) {
    const last = joined.at(-1);
    if (last?.[0] === key && !"LR".includes(key)) last[1] += ticks; // a dig is used once
    else joined.push([key, ticks]);
  }
  return joined.map((press) => press.join("")).join(" ");
}
