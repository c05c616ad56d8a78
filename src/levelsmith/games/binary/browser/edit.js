// What is told of a map on the page where it is drawn: its longest path, and which cells lie apart.
import { gameOf } from "../../api.js";
import { compiledOf } from "../../background.js";
import { apart, chartOf, headline, mapOf } from "./chart.js";
import { charted } from "./charted.js";

let ground = null; // what a map is read and charted by, once it is there

/** Has all that `path` needs. */
export async function ready() {
  ground ??= { kind: await gameOf("binary"), compiled: await compiledOf("binary") };
}

export const path = (text) => (ground ? chartOf(ground.compiled, mapOf(ground.kind, text)).path : []);

/** What is counted about a map, and which cells are not joined to the most of them. */
export async function prove(text, options) {
  await ready();
  const map = mapOf(ground.kind, text);
  const told = await charted(map, options);
  const cells = apart(told);
  const also = cells.length ? `; ${cells.length} cells lie apart` : "";
  return {
    valid: true, status: "n/a", metrics: told.metrics, told: headline(told) + also,
    apart: cells.map((cell) => [Math.floor(cell / map.width), cell % map.width]),
  };
}
