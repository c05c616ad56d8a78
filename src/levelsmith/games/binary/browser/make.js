// Another cave, made in the page by the kernels of the command, from the same random numbers.
import { Kernels } from "../../kernels.js";
import { diceOf } from "../../seeds.js";
import { chartOf, headline, textOf } from "./chart.js";

/** Yields how many caves were drawn; comes back with {text, tries, told} of one that a way leads through.
 * @param {{kind: Object, maker: Object, seed: number, run?: number}} asked */
export function* make(compiled, { kind, maker, seed, run = 0 }) {
  const { libraries } = compiled;
  const kernels = new Kernels(libraries["binary-caves"]);
  const { plan } = kernels.laid(maker.arguments);
  const dice = kernels.filled("u32", diceOf(libraries.dice, seed, run));
  const { height, width } = plan;
  const grid = kernels.array("u8", height * width);
  let tries = 1;
  for (; !kernels.call("draw_cave", plan, dice, grid); tries += 1) yield tries;
  const map = { height, width, tiles: grid.cells.slice() };
  const told = chartOf(compiled, map);
  if (!told.way.length) throw new Error("No way leads through the cave that was made.");
  return { text: textOf(kind, map), tries, told: headline(told), solution: null };
}
