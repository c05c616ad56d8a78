// How hard a level is, as metrics/difficulty.py says it: by its solution, and by all positions that can come up in it.
import { Kernels } from "../../kernels.js";
import { Field } from "./solve.js";

const MEMORY = 256e6; // bytes, of a level that is solved already

/** {difficulty, tier}; the number is estimated by the solution alone where there are too many positions. */
export function rated({ libraries, constants }, board, solution) {
  const field = new Field(libraries["sokoban-solver"], constants, board, {}, MEMORY);
  const pushes = solution.replace(/[^UDLR]/g, "").length;
  const alone = field.kernels.call("least_pushes", { ...field.maze, ...field.workspace() }, field.player);
  const features = { floor: field.cells.length, moves: solution.length, pushes, detour: pushes - alone };
  const difficulty = numberOf(constants.difficulty, { ...features, ...positions(libraries, constants, field) });
  const tier = Object.entries(constants.difficulty.TIERS).filter(([, least]) => difficulty >= least).at(-1)[0];
  return { ...features, difficulty, tier };
}

/** The number from 0 to 100; `TERMS` of metrics/difficulty.py are the same. */
function numberOf({ PEOPLE, SOLVED, MIDDLE, WIDE, DIGITS, WEIGHTS, OFFSET }, { pushes, moves, floor, detour, chance, lost }) {
  if (!pushes) return 0;
  const terms = { walks: Math.log1p((moves - pushes) / floor), detour: Math.log1p(detour) };
  const summed = (weights) => Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * terms[name], 0);
  const scaled = (total) => 100 / (1 + Math.exp(-total));
  if (chance === undefined) return scaled(OFFSET + summed(WEIGHTS));
  Object.assign(terms, { walker: Math.log1p(-Math.log(chance)), lost: -Math.log(1 - lost) });
  return Number(scaled((MIDDLE - (SOLVED - summed(PEOPLE))) / WIDE).toFixed(DIGITS));
}

/** {chance, lost}: how likely a walker solves it, and the share of positions from which nobody does; {} where there are
 * too many. What space/space.py lays out. */
function positions({ "sokoban-space": library, walker }, { space: { ROOM, EAGER, PATIENCE, TINY, LOST }, positions: names, maze: { FAR } }, field) {
  const kernels = new Kernels(library);
  const [cells, boxes] = [field.cells.length, field.boxes.length];
  const found = kernels.tuple("Positions", {
    boxes: [ROOM + 1, boxes], player: ROOM + 1, same: ROOM + 1, after: ROOM + 1, walks: [ROOM + 1, cells], first: ROOM + 2,
    to: 4 * boxes * (ROOM + 1), table: 2 ** (32 - Math.clz32(2 * ROOM)), queue: cells, tally: names.TALLIES,
  });
  for (const table of [found.after, found.table]) table.cells.fill(names.NOBODY);
  found.boxes.cells.set(field.boxes);
  if (!kernels.call("explore", kernels.copied(field.maze), found, field.player)) return {};
  const [states, moves] = [found.tally.at(names.FOUND), found.tally.at(names.PUSHES)];
  const [distance, homes] = [field.maze.distance.cells, field.maze.on_goal.cells];
  const own = 4 * field.goals.length; // distances of a cell
  const nearest = field.cells.map((_, cell) => distance.subarray(cell * own, (cell + 1) * own).reduce((one, other) => Math.min(one, other), FAR));
  const boxesOf = (state) => found.boxes.cells.subarray(state * boxes, (state + 1) * boxes);
  const each = (work) => Array.from({ length: states }, (_, state) => work(boxesOf(state)));
  return walk(walker, {
    first: Array.from(found.first.cells.subarray(0, states + 1), Number), to: found.to.cells.slice(0, moves),
    seems: each((set) => set.reduce((sum, cell) => sum + nearest[cell], 0)),
    ended: each((set) => Number(!field.isHopeless && set.every((cell) => homes[cell]))),
  }, { EAGER, PATIENCE, TINY, LOST });
}

/** What games/kernels/walker.py lays out around its kernels. */
function walk(library, { first, to, seems, ended }, { EAGER, PATIENCE, TINY, LOST }) {
  const kernels = new Kernels(library);
  const states = ended.length;
  const graph = kernels.tuple("Graph", {
    first: Float64Array.from(first), to, seems: Float64Array.from(seems), ended: Uint8Array.from(ended),
  });
  const steps = kernels.filled("i32", new Int32Array(states).fill(LOST));
  const scratch = [states + 1, to.length, states].map((length) => kernels.array("i64", length));
  kernels.call("look_back", graph, steps, kernels.array("f64", states), ...scratch);
  const share = kernels.array("f64", to.length);
  kernels.call("choose", graph, EAGER, share);
  const far = Array.from(steps.cells);
  const order = [...far.keys()].sort((one, other) => far[one] - far[other] || one - other);
  const layers = Array.from({ length: Math.max(0, ...new Set(far)) + 1 }, (_, step) => far.filter((one) => one <= step).length);
  const chance = kernels.filled("f64", ended);
  const [sorted, begins] = [order, layers].map((numbers) => kernels.filled("i64", numbers));
  kernels.call("walk", graph, sorted, begins, share, 1 - 1 / PATIENCE, kernels.array("f64", states), chance);
  return { chance: Math.max(TINY, chance.at(0)), lost: far.filter((one) => one === LOST).length / states };
}

/** The same in the background, of a level that is proved to need no fewer pushes. @param {{board: Object, solution: string}} asked */
export function* rate(compiled, { board, solution }) {
  return rated(compiled, board, solution);
}
