// Binary maps: their regions, and the longest of the shortest paths between two empty cells.
import { cell, inside, place, read, table, write } from "../../rules/cells.js";

export const [EMPTY, WALL] = [0, 1];
const SPELLINGS = [".", "#"];
const SYMBOLS = table(SPELLINGS);
const ROUNDS = 3; // in which a cell in the middle of a region is looked for

export { cell, place };

export function parse(text) {
  return { board: read(text, SYMBOLS, null, WALL) };
}

export function text({ board }) {
  return write(board, (at) => SPELLINGS[board.tiles[at]]);
}

/** Distances from a cell: fills `distance` for its region, whose cells come back in the order they were reached. */
function flood(board, from, distance) {
  const { tiles, stride } = board;
  const order = [from];
  distance.fill(-1);
  distance[from] = 0;
  for (let i = 0; i < order.length; i++) {
    const at = order[i];
    for (const there of [at - stride, at + stride, at - 1, at + 1]) {
      if (tiles[there] === EMPTY && distance[there] < 0) {
        distance[there] = distance[at] + 1;
        order.push(there);
      }
    }
  }
  return order;
}

/** The connected regions of empty cells, each a list of cells. */
export function regions({ board }) {
  const distance = new Int32Array(board.tiles.length);
  const seen = new Set();
  const found = [];
  for (const at of inside(board)) {
    if (board.tiles[at] !== EMPTY || seen.has(at)) continue;
    const region = flood(board, at, distance);
    for (const one of region) seen.add(one);
    found.push(region);
  }
  return found;
}

/** A longest shortest path as [row, col] from end to end; empty where no cell is. It is exact.
 *
 * Any two cells no farther than d from a middle are at most 2d apart: once a path that long is known, the cells
 * that are left need not be looked at. */
export function longest(state) {
  const { board } = state;
  const distance = new Int32Array(board.tiles.length);
  let best = { length: -1, from: null, to: null };
  const look = (from) => {
    const order = flood(board, from, distance);
    const to = order.at(-1);
    if (distance[to] > best.length) best = { length: distance[to], from, to };
    return order;
  };
  for (const region of regions(state)) {
    const farthest = new Map(region.map((at) => [at, 0])); // from those looked at so far
    let middle = region[0];
    for (let round = 0; round < ROUNDS; round++) {
      for (const from of [middle, look(middle).at(-1)]) {
        for (const at of look(from)) farthest.set(at, Math.max(farthest.get(at), distance[at]));
      }
      middle = region.reduce((one, other) => (farthest.get(other) < farthest.get(one) ? other : one));
    }
    const order = look(middle);
    const depth = order.map((at) => distance[at]);
    for (let i = order.length - 1; i >= 0 && 2 * depth[i] > best.length; i--) look(order[i]);
  }
  if (best.from === null) return [];
  flood(board, best.from, distance);
  return way(board, best.to, distance).map((at) => place(board, at));
}

/** The way through a cave as [row, col], from the opening in the border farther left to the other; empty where there
 * are not two, or no way. */
export function through({ board }) {
  const edge = ([row, col]) => !row || !col || row === board.height - 1 || col === board.width - 1;
  const ends = [...inside(board)].map((at) => place(board, at))
    .filter(([row, col]) => edge([row, col]) && board.tiles[cell(board, row, col)] === EMPTY)
    .sort((one, other) => one[1] - other[1] || one[0] - other[0]);
  if (ends.length !== 2) return [];
  const [entry, exit] = ends.map(([row, col]) => cell(board, row, col));
  const distance = new Int32Array(board.tiles.length);
  flood(board, exit, distance);
  return distance[entry] < 0 ? [] : way(board, entry, distance).map((at) => place(board, at));
}

/** The cells from one back to where distances are counted from. */
function way({ stride }, from, distance) {
  const cells = [from];
  for (let at = from; distance[at] > 0;) {
    at = [at - stride, at + stride, at - 1, at + 1].find((there) => distance[there] === distance[at] - 1);
    cells.push(at);
  }
  return cells;
}
