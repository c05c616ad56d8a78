// The chart of a map for a page: drawn at once, or in the background where that may take longer than a frame.
import { ask, compiledOf } from "../../background.js";
import { chartOf } from "./chart.js";

const LARGE = 1024; // cells

/** @param {import("./chart.js").Map} map @param {Object} [options] of `ask` @returns {Promise<import("./chart.js").Told>} */
export async function charted(map, options = {}) {
  return map.tiles.length > LARGE ? ask("binary", "chart", { map }, options) : chartOf(await compiledOf("binary"), map);
}
