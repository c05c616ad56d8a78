// A level under the pencil, without a page: tiles, locks, what was painted, and all of it undone and done again.
// A drawing is never changed: each of these functions gives a new one.
import { shownTiles } from "../outside.js";

const SIDES = [2, 256]; // shortest and longest

/** A drawing from text; `tiles` are those of the catalogue, {name, char}. */
export function read(tiles, text) {
  const rows = text.replace(/\r/g, "").replace(/^\n+|\n+$/g, "").split("\n");
  const width = Math.max(...rows.map((row) => row.length));
  const index = new Map(tiles.map((tile, i) => [tile.char, i]));
  const cells = rows.flatMap((row) => [...row.padEnd(width, tiles[0].char)].map((symbol) => index.get(symbol) ?? 0));
  return make(width, rows.length, cells);
}

/** The names of its tiles as a board shows them, row by row; null beyond the walls. */
export function shown(game, { width, height, cells }) {
  const names = cells.map((tile) => game.tiles[tile].name);
  return shownTiles(game, Array.from({ length: height }, (_, row) => names.slice(row * width, (row + 1) * width)));
}

function make(width, height, cells, locked = cells.map(() => false), painted = cells.map(() => false)) {
  return { width, height, cells, locked, painted };
}

/** Something to begin with: ground, or tiles that `begins(row, col, height, width)` names. */
export function blank(game, width, height, begins) {
  const of = (name) => Math.max(0, game.tiles.findIndex((tile) => tile.name === name));
  const cells = Array.from({ length: width * height }, (_, at) => (begins ? of(begins(Math.floor(at / width), at % width, height, width)) : 0));
  return make(width, height, cells);
}

/** The same size and edge as another drawing, if all of that is one tile, and ground inside. */
export function emptied(drawing) {
  const { width, height, cells } = drawing;
  const rim = isFramed(drawing) ? cells[0] : 0;
  const inside = (at) => at % width > 0 && at % width < width - 1 && at >= width && at < cells.length - width;
  return make(width, height, cells.map((_, at) => (inside(at) ? 0 : rim)));
}

/** Whether all along its edge there is one tile that is not ground. */
function isFramed({ width, height, cells }) {
  return cells[0] !== 0 && cells.every((tile, at) => {
    const [row, col] = [Math.floor(at / width), at % width];
    return (row > 0 && col > 0 && row < height - 1 && col < width - 1) || tile === cells[0];
  });
}

export function text(tiles, { width, height, cells }) {
  const rows = [];
  for (let row = 0; row < height; row++) {
    rows.push(cells.slice(row * width, (row + 1) * width).map((tile) => tiles[tile].char).join(""));
  }
  return rows.join("\n");
}

export const same = (one, other) =>
  one.width === other.width && one.cells.join() === other.cells.join() && one.locked.join() === other.locked.join();

/** Paints cells [row, col] that are not locked. Of players there is one: the old one leaves. */
export function paint(drawing, tiles, places, tile) {
  const { width } = drawing;
  const [cells, painted] = [[...drawing.cells], [...drawing.painted]];
  const isPlayer = (one) => below(tiles[one]) !== null;
  for (const [row, col] of places) {
    const at = row * width + col;
    if (drawing.locked[at]) continue;
    if (isPlayer(tile)) {
      const others = [...cells.keys()].filter((i) => i !== at && isPlayer(cells[i]));
      if (others.some((i) => drawing.locked[i])) continue;
      for (const i of others) cells[i] = Math.max(0, tiles.findIndex(({ name }) => name === below(tiles[cells[i]])));
    }
    cells[at] = tile;
    painted[at] = true;
  }
  return { ...drawing, cells, painted };
}

/** The name of what is left where the player leaves a tile ("" for the ground), or null of one without a player; a game may say. */
function below({ name, below: told }) {
  if (told !== undefined) return told;
  return name.startsWith("player") ? name.replace(/^player( on )?/, "") : null;
}

export function lock(drawing, places, on) {
  const locked = [...drawing.locked];
  for (const [row, col] of places) locked[row * drawing.width + col] = on;
  return { ...drawing, locked };
}

export function mirror(drawing, upsideDown) {
  return rearranged(drawing, drawing.width, drawing.height, (row, col) =>
    upsideDown ? [drawing.height - 1 - row, col] : [row, drawing.width - 1 - col]);
}

/** Another size, the upper left corner kept; new cells are like those at the old edge where all of it is one tile. */
export function resize(drawing, width, height) {
  const [w, h] = [width, height].map((side) => Math.min(SIDES[1], Math.max(SIDES[0], Math.round(side) || SIDES[0])));
  if (!isFramed(drawing) || w < 3 || h < 3) return rearranged(drawing, w, h, (row, col) => [row, col]);
  return rearranged(drawing, w, h, (row, col) => {
    const edge = row === 0 || col === 0 || row === h - 1 || col === w - 1;
    if (edge) return [0, 0];
    return row < drawing.height - 1 && col < drawing.width - 1 ? [row, col] : [-1, -1];
  });
}

function rearranged(drawing, width, height, from) {
  const { cells, locked, painted } = drawing;
  const moved = { width, height, cells: [], locked: [], painted: [] };
  for (let row = 0; row < height; row++) {
    for (let col = 0; col < width; col++) {
      const [oldRow, oldCol] = from(row, col);
      const inside = oldRow >= 0 && oldCol >= 0 && oldRow < drawing.height && oldCol < drawing.width;
      const at = oldRow * drawing.width + oldCol;
      moved.cells.push(inside ? cells[at] : 0);
      moved.locked.push(inside && locked[at]);
      moved.painted.push(inside && painted[at]);
    }
  }
  return moved;
}

/** Cells as the searches take them: runs `X,Y,Wx1`. */
export function runs({ width, height }, mask) {
  const found = [];
  for (let row = 0; row < height; row++) {
    for (let col = 0; col < width; col++) {
      if (!mask[row * width + col]) continue;
      const start = col;
      while (col + 1 < width && mask[row * width + col + 1]) col++;
      found.push(`${start},${row},${col - start + 1}x1`);
    }
  }
  return found;
}

/** Locks the cells that such runs name; what is none is passed over. */
export function withLocks(drawing, words) {
  const places = [];
  for (const word of words) {
    const [, x, y, w] = /^(\d{1,3}),(\d{1,3}),(\d{1,3})x1$/.exec(word)?.map(Number) ?? [];
    for (let col = x; col < x + w && col < drawing.width && y < drawing.height; col++) places.push([y, col]);
  }
  return lock(drawing, places, true);
}

export const lockedCells = ({ width, locked }) =>
  locked.flatMap((on, at) => (on ? [[Math.floor(at / width), at % width]] : []));

/** The cells between two, so that a fast stroke has no gaps. */
export function line([row, col], [toRow, toCol]) {
  const steps = Math.max(Math.abs(toRow - row), Math.abs(toCol - col), 1);
  return Array.from({ length: steps + 1 }, (_, i) => [
    Math.round(row + ((toRow - row) * i) / steps),
    Math.round(col + ((toCol - col) * i) / steps),
  ]);
}

/** Cells and their images in the middle lines: `kind` is "", "lr", "ud" or "both". */
export function symmetric({ width, height }, places, kind) {
  const images = [([row, col]) => [row, col]];
  if (kind === "lr" || kind === "both") images.push(([row, col]) => [row, width - 1 - col]);
  if (kind === "ud" || kind === "both") images.push(([row, col]) => [height - 1 - row, col]);
  if (kind === "both") images.push(([row, col]) => [height - 1 - row, width - 1 - col]);
  return places.flatMap((place) => images.map((image) => image(place)));
}

export class History {
  #past = [];
  #future = [];

  constructor(drawing) {
    this.now = drawing;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  push(drawing) {
    if (same(drawing, this.now)) return;
    this.#past.push(this.now);
    this.#future = [];
    this.now = drawing;
  }

  undo() {
    if (!this.canUndo) return;
    this.#future.push(this.now);
    this.now = this.#past.pop();
  }

  redo() {
    if (!this.canRedo) return;
    this.#past.push(this.now);
    this.now = this.#future.pop();
  }
}
