// What a hunt for a plan is begun with, read off the tiles of a game: the ways from cell to cell while nobody moves, as
// agent/chase/kernels/distances.py has them, and the gold behind solid walls.

/** The ways of a level without men, of whose bricks those that are `dug` can be: {offset, steps, shut}, the steps of each
 * way out of a cell, 0 where there is none, and the cells that nobody gets into. */
export function waysOf(tile, dug, stride, { men, distances: { DIG_STEPS } }) {
  const { BRICK, SOLID, RING, LADDER, ROPE, TRAP, EMPTY, GOLD, HIDDEN } = men;
  const offset = [-1, 1, -stride, stride, stride - 1, stride + 1];
  const is = (at, ...kinds) => kinds.includes(tile[at]);
  const isShut = (at) => is(at, SOLID, RING) || (is(at, BRICK) && !dug[at]);
  const stepsOf = (at, way) => {
    const there = at + offset[way];
    if (isShut(there) || (is(there, TRAP) && way !== 3)) return 0;
    if (way === 2) return Number(is(at, LADDER) && !is(there, BRICK));
    const stands = is(at, LADDER, ROPE) || is(at + stride, BRICK, SOLID, RING, LADDER);
    if (!stands && way !== 3) return 0;
    if (way < 4) return !is(there, BRICK) ? 1 : is(at, BRICK) ? DIG_STEPS : 0;
    return is(there, BRICK) && !is(at, BRICK) && is(there - stride, EMPTY, GOLD, HIDDEN) ? DIG_STEPS : 0; // a hole on that side
  };
  const cells = [...tile.keys()];
  return { offset, steps: cells.map((at) => offset.map((_, way) => (isShut(at) ? 0 : stepsOf(at, way)))), shut: cells.filter(isShut) };
}

/** The gold to which nothing but solid leads from where a man is or may be born. */
export function walledIn(tile, stride, { BRICK, SOLID, RING, GOLD }) {
  const waiting = [...tile.keys()].filter((at) => ![BRICK, SOLID, RING, GOLD].includes(tile[at]));
  const seen = new Set(waiting);
  while (waiting.length) {
    const at = waiting.pop();
    for (const there of [at - 1, at + 1, at - stride, at + stride]) {
      if (seen.has(there) || tile[there] === SOLID || tile[there] === RING) continue;
      seen.add(there);
      waiting.push(there);
    }
  }
  return [...tile.keys()].filter((at) => tile[at] === GOLD && !seen.has(at));
}
