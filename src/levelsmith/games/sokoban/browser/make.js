// Another Sokoban level, made in the page by the kernels of the maker `carve`, from the same random numbers as by the
// command; proved by the solver and rated before anybody sees it.
import { Kernels } from "../../kernels.js";
import { streamOf } from "../../seeds.js";
import { boardOf } from "./game.js";
import { rated } from "./rate.js";
import { solve } from "./solve.js";

const UNLIMITED = 0; // candidates

/** Yields how many candidates there were; comes back with {text, solution, tries, pushes, moves, difficulty, tier, told}.
 * @param {{kind: Object, maker: Object, seed: number, run?: number}} asked */
export function* make(compiled, { kind, maker, seed, run = 0 }) {
  const { libraries, constants } = compiled;
  const made = yield* carve(libraries, constants.carve, maker, streamOf(libraries.dice, seed, run));
  const text = rows(made.tiles, made.width).map((row) => row.map((tile) => kind.tiles[tile].char).join("")).join("\n");
  const board = boardOf(kind, text);
  const pushes = made.solution.replace(/[^UDLR]/g, "").length;
  const proof = yield* solve(compiled, { board });
  if (proof.pushes !== pushes) throw new Error(`The level that was made is proved to need ${proof.pushes} pushes, not ${pushes}.`);
  const rating = rated(compiled, board, made.solution);
  const { difficulty, tier } = rating;
  const told = `${pushes} pushes (proved fewest), ${made.solution.length} moves, difficulty ${difficulty.toFixed(1)}`;
  return { text, solution: made.solution, tries: made.tries, pushes, moves: made.solution.length, difficulty, tier, told, optimal: true };
}

/** The first level that will do: what `Order` and `_fill` of carve/maker.py lay out and call for one run. */
function* carve(libraries, { LEVEL, TRIES, END, MOST_MOVES }, maker, stream) {
  const kernels = new Kernels(libraries["sokoban-carve"]);
  const { carver, game, objective } = kernels.laid(maker.arguments);
  const { height, width } = carver.board;
  const levels = kernels.tuple("CarvedLevels", { grids: [1, (height + 2) * (width + 2)], moves: MOST_MOVES + 1, tries: 1, at: 3 });
  const rngs = kernels.filled("u64", stream, [1, 2]);
  for (; !levels.at.at(LEVEL); yield levels.at.at(TRIES)) kernels.call("fill", carver, game, objective, rngs, levels, UNLIMITED, 1);
  const moves = levels.moves.cells.subarray(0, levels.at.at(END) - 1); // without the end of the line
  return { tiles: levels.grids.cells.slice(), width: width + 2, solution: String.fromCharCode(...moves), tries: levels.tries.at(0) };
}

const rows = (tiles, width) => Array.from({ length: tiles.length / width }, (_, row) => [...tiles.subarray(row * width, (row + 1) * width)]);
