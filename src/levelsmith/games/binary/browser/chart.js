// What the library's kernels tell of a cave map: its metrics, its regions, a longest path, and the way through.
import { Kernels } from "../../kernels.js";
import { inside, read, table } from "../../rules/cells.js";

/**
 * @typedef {{height: number, width: number, tiles: Uint8Array}} Map row by row
 * @typedef {[number, number]} Place row and column
 * @typedef {{metrics: Object<string, number>, regions: Int32Array, path: Place[], way: Place[], openings: Place[]}} Told
 * `regions`: the number of each cell's region, from 1, and 0 for a wall; `path` from end to end, `way` from the entry of a
 * cave to its exit, and `openings`, where there are just two, these ends
 */

const METRICS = ["empty", "path", "regions", "openings", "way", "smoothness"]; // their places are constants of the library

/** The map in a text, by the tiles of the catalogue. @returns {Map} */
export function mapOf({ tiles }, text) {
  const board = read(text, table(tiles.map(({ char, aliases }) => char + (aliases ?? ""))), null, 0);
  return { height: board.height, width: board.width, tiles: Uint8Array.from(inside(board), (at) => board.tiles[at]) };
}

/** A map as text. @param {Map} map */
export function textOf({ tiles: kinds }, { height, width, tiles }) {
  const row = (at) => Array.from(tiles.subarray(at * width, (at + 1) * width), (tile) => kinds[tile].char).join("");
  return Array.from({ length: height }, (_, at) => row(at)).join("\n");
}

/** Draws charts of maps of one size. */
export class Charts {
  #kernels;
  #constants;
  #map;
  #tiles;
  #chart;

  constructor({ libraries, constants }, height, width) {
    const [cells, edge] = [height * width, height > 2 && width > 2 ? 2 * (height + width) - 4 : height * width];
    const kernels = new Kernels(libraries["binary-chart"]);
    [this.#kernels, this.#constants, this.height, this.width] = [kernels, constants, height, width];
    this.#map = kernels.tuple("LargeBinary", {
      height, width, queue: cells, members: cells, distance: cells, depth: cells, bound: cells, seen: cells, counted: cells,
      searches: 1, border: edge,
    });
    this.#tiles = kernels.array("u8", cells);
    this.#chart = kernels.tuple("Chart", {
      walls: [1, Math.ceil(cells / 64)], metrics: [1, constants.small.METRICS], ends: 2, openings: 2, regions: cells, path: cells, way: cells,
      lengths: 2,
    });
  }

  /** @param {Uint8Array} tiles @returns {Told} */
  of(tiles) {
    this.#tiles.cells.set(tiles);
    this.#kernels.call("draw_chart", this.#map, this.#tiles, this.#chart);
    const { small, chart: { PATH, WAY } } = this.#constants;
    const { metrics, regions, path, way, openings, lengths } = this.#chart;
    const place = (cell) => [Math.floor(cell / this.width), cell % this.width];
    const places = ({ cells }, length) => Array.from(cells.subarray(0, length), (cell) => place(Number(cell)));
    return {
      metrics: Object.fromEntries(METRICS.map((name) => [name, metrics.at(small[name.toUpperCase()])])),
      regions: regions.cells.slice(),
      path: places(path, lengths.at(PATH)),
      way: places(way, lengths.at(WAY)),
      openings: places(openings, openings.at(0) < 0 ? 0 : 2),
    };
  }
}

let kept = null; // the charts of the last size, as one paints

/** The chart of a map. @param {Map} map @returns {Told} */
export function chartOf(compiled, { height, width, tiles }) {
  if (kept?.compiled !== compiled || kept.charts.height !== height || kept.charts.width !== width) {
    kept = { compiled, charts: new Charts(compiled, height, width) };
  }
  return kept.charts.of(tiles);
}

/** In the background, for a large map. */
export function* chart(compiled, { map }) {
  yield 0;
  return chartOf(compiled, map);
}

/** The line that is told of a map, in the words of the command. @param {Told} told */
export function headline({ metrics, path, way, openings }) {
  const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
  if (way.length) return `${counted(way.length - 1, "step")} from entry to exit`;
  if (openings.length) return `no way leads from ${openings.map(([row, col]) => `row ${row + 1}, column ${col + 1}`).join(" to ")}`;
  return `longest path ${counted(Math.max(0, path.length - 1), "step")}, ${counted(metrics.regions, "region")}`;
}

/** The cells that lie apart from a region, of itself the largest. @param {Told} told @returns {number[]} */
export function apart({ metrics, regions }, region = largest(regions, metrics.regions)) {
  return [...regions.keys()].filter((cell) => regions[cell] && regions[cell] !== region);
}

function largest(regions, count) {
  const sizes = new Array(count + 1).fill(0);
  for (const region of regions) sizes[region] += 1;
  return sizes.indexOf(Math.max(...sizes.slice(1)), 1);
}
