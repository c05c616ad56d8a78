// Draws a level on a canvas: tiles that lie still, things that move over them, and marks on top.
import { Sprites } from "./sprites.js";
import { el } from "./ui.js";

const LARGEST = 72; // a cell's side in CSS pixels
const MARGIN = 4; // around a board
const NEAR = 2; // cells that are glided over; farther, a thing is put down where it is
const [PAPER, JADE, ROSE] = ["#ffffff", "#1d9a85", "#d1435c"]; // of levels/look.py
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  #canvas = el("canvas", { role: "img", "aria-label": "No level yet", width: 0, height: 0 });
  #context = this.#canvas.getContext("2d");
  #ground = new OffscreenCanvas(1, 1);
  #drawn = []; // the names on #ground, by cell
  #sprites = null;
  #game = null;
  #tiles = [[]]; // names, row by row; null for nothing
  #things = new Map(); // id -> {kind, row, col, fromRow, fromCol, start, duration}
  #frame = 0;
  #side = 0; // of a cell, in pixels of the device

  /** @param marks called with (context, side) after all else is drawn, to draw on top. */
  constructor(frame, { marks = null } = {}) {
    this.frame = frame;
    this.marks = marks;
    frame.append(this.#canvas);
    new ResizeObserver(() => this.#fit()).observe(frame);
    this.#listen(document, "theme", () => this.#game && this.dress(this.#game));
    this.#watchZoom();
  }

  get canvas() {
    return this.#canvas;
  }

  get sprites() {
    return this.#sprites;
  }

  /** What screen readers say of the picture. */
  set label(text) {
    this.#canvas.setAttribute("aria-label", text);
  }

  /** Loads the sprites of a game in the theme of the page. */
  async dress(game) {
    this.#game = game;
    this.#sprites = await Sprites.load(game);
    this.#drawn = [];
    this.#fit();
  }

  /** Shows tiles (names, row by row) and things, which glide from where they were if that is near.
   * A thing is {id, kind, row, col}, with `milliseconds` of its own where it is slower than others, a `size` where it
   * is smaller than a cell, and an `opacity` where it is seen through. */
  show(tiles, things = [], milliseconds = 0) {
    const resized = tiles.length !== this.#tiles.length || tiles[0].length !== this.#tiles[0].length;
    this.#tiles = tiles;
    const now = performance.now();
    const before = this.#things;
    this.#things = new Map();
    for (const thing of things) {
      const old = before.get(thing.id);
      const near = old && Math.abs(old.row - thing.row) + Math.abs(old.col - thing.col) <= NEAR;
      const duration = near && !still.matches ? thing.milliseconds ?? milliseconds : 0;
      const [fromRow, fromCol] = near ? this.#where(old, now) : [thing.row, thing.col];
      const settled = old && old.row === thing.row && old.col === thing.col;
      this.#things.set(thing.id, settled ? { ...old, kind: thing.kind, opacity: thing.opacity } : { ...thing, fromRow, fromCol, start: now, duration });
    }
    if (resized) {
      this.frame.style.setProperty("--shape", tiles[0].length / tiles.length);
      this.#fit();
    }
    this.redraw();
  }

  redraw() {
    if (!this.#frame) this.#frame = requestAnimationFrame((time) => this.#draw(time));
  }

  /** The cell [row, col] under a pointer, or null. */
  at(event) {
    const box = this.#canvas.getBoundingClientRect();
    const row = Math.floor(((event.clientY - box.top) / box.height) * this.#tiles.length);
    const col = Math.floor(((event.clientX - box.left) / box.width) * this.#tiles[0].length);
    const inside = row >= 0 && row < this.#tiles.length && col >= 0 && col < this.#tiles[0].length;
    return inside ? [row, col] : null;
  }

  #where(thing, time) {
    const share = thing.duration ? Math.min(1, Math.max(0, (time - thing.start) / thing.duration)) : 1;
    return [
      thing.fromRow + (thing.row - thing.fromRow) * share,
      thing.fromCol + (thing.col - thing.fromCol) * share,
    ];
  }

  /** Cells are a whole number of the device's pixels, so that no seams show at any zoom. */
  #fit() {
    const [rows, cols] = [this.#tiles.length, this.#tiles[0].length];
    if (!rows || !cols || !this.#sprites) return;
    const ratio = devicePixelRatio;
    const [across, down] = [this.frame.clientWidth, this.frame.clientHeight].map((side) => side - 2 * MARGIN);
    const room = Math.min(across / cols, down / rows, LARGEST) * ratio;
    this.#side = Math.max(2, Math.floor(room));
    const [width, height] = [cols * this.#side, rows * this.#side];
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      this.#canvas.width = this.#ground.width = width;
      this.#canvas.height = this.#ground.height = height;
      this.#drawn = [];
    }
    this.#canvas.style.width = `${width / ratio}px`;
    this.#canvas.style.height = `${height / ratio}px`;
    // In the middle, on whole pixels again.
    const edges = [this.frame.clientHeight * ratio - height, this.frame.clientWidth * ratio - width];
    this.#canvas.style.margin = edges.map((edge) => `${Math.max(0, Math.floor(edge / 2)) / ratio}px`).join(" ");
    if (this.#frame) cancelAnimationFrame(this.#frame);
    this.#draw(performance.now());
  }

  #draw(time) {
    this.#frame = 0;
    if (!this.#sprites || !this.#side) return;
    const [context, side] = [this.#context, this.#side];
    this.#drawGround();
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    context.drawImage(this.#ground, 0, 0);
    let moving = false;
    for (const thing of this.#things.values()) {
      const [row, col] = this.#where(thing, time);
      const size = Math.round(side * (thing.size ?? 1));
      context.globalAlpha = thing.opacity ?? 1;
      // One that is smaller is in the middle, at the foot of its cell.
      this.#sprites.top(context, thing.kind, Math.round(col * side + (side - size) / 2), Math.round(row * side + side - size), size);
      moving ||= time < thing.start + thing.duration;
    }
    context.globalAlpha = 1;
    if (this.marks) {
      context.save();
      this.marks(context, side);
      context.restore();
    }
    if (moving) this.redraw();
  }

  #drawGround() {
    const context = this.#ground.getContext("2d");
    const cols = this.#tiles[0].length;
    this.#tiles.forEach((names, row) => names.forEach((name, col) => {
      if (this.#drawn[row * cols + col] === name) return;
      context.clearRect(col * this.#side, row * this.#side, this.#side, this.#side);
      if (name) this.#sprites.tile(context, name, col * this.#side, row * this.#side, this.#side);
      this.#drawn[row * cols + col] = name;
    }));
  }

  #watchZoom() {
    const zoom = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    this.#listen(zoom, "change", () => {
      this.#fit();
      this.#watchZoom();
    }, { once: true });
  }

  /** Listens as long as the board is on the page. */
  #listen(target, name, handler, options) {
    const listener = () => {
      if (this.frame.isConnected) handler();
      else target.removeEventListener(name, listener);
    };
    target.addEventListener(name, listener, options);
  }
}

/** Draws a line through cells and a disc at its end, as pictures of levels show a way. */
export function drawWay(context, side, cells) {
  if (!cells.length) return;
  const points = cells.map(([row, col]) => [(col + 0.5) * side, (row + 0.5) * side]);
  context.lineCap = context.lineJoin = "round";
  for (const [colour, width, radius] of [[PAPER, 0.21, 0.22], [JADE, 0.125, 0.17]]) {
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width * side;
    context.beginPath();
    for (const point of points) context.lineTo(...point);
    context.stroke();
    for (const [x, y] of [points[0], points.at(-1)]) {
      context.beginPath();
      context.arc(x, y, radius * side, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

/** Draws a disc on a cell: the end of a way, or larger and in another colour who walks there. */
export function drawDisc(context, side, [row, col], kind) {
  const [colour, size] = { end: [JADE, 0.2], walker: [ROSE, 0.32] }[kind];
  for (const [paint, radius] of [[PAPER, size + 0.07], [colour, size]]) {
    context.fillStyle = paint;
    context.beginPath();
    context.arc((col + 0.5) * side, (row + 0.5) * side, radius * side, 0, 2 * Math.PI);
    context.fill();
  }
}

/** Crosses out cells: what stands there is why a level cannot be won. */
export function drawCross(context, side, cells) {
  context.lineCap = "round";
  for (const [colour, width] of [[PAPER, 0.2], [ROSE, 0.11]]) {
    context.strokeStyle = colour;
    context.lineWidth = width * side;
    context.beginPath();
    for (const [row, col] of cells) {
      for (const [from, to] of [[0.26, 0.74], [0.74, 0.26]]) {
        context.moveTo((col + from) * side, (row + 0.26) * side);
        context.lineTo((col + to) * side, (row + 0.74) * side);
      }
    }
    context.stroke();
  }
}

/** Washes cells over with a colour: they are apart from the others. */
export function drawWash(context, side, cells) {
  context.fillStyle = `${ROSE}66`;
  for (const [row, col] of cells) context.fillRect(col * side, row * side, side, side);
}

/** Hatches cells, to show that they are locked. */
export function drawHatch(context, side, cells) {
  const step = Math.max(3, Math.round(side / 5));
  for (const [row, col] of cells) {
    context.save();
    context.beginPath();
    context.rect(col * side, row * side, side, side);
    context.clip();
    for (const [colour, width] of [["#0008", 3], ["#fffd", 1.25]]) {
      context.strokeStyle = colour;
      context.lineWidth = (width * side) / 32;
      context.beginPath();
      for (let shift = -side; shift < side; shift += step) {
        context.moveTo(col * side + shift, (row + 1) * side);
        context.lineTo(col * side + shift + side, row * side);
      }
      context.stroke();
    }
    context.restore();
  }
}

export function drawCursor(context, side, [row, col]) {
  for (const [colour, width] of [["#000", 4], ["#fff", 2]]) {
    context.strokeStyle = colour;
    context.lineWidth = Math.max(width / 2, (width * side) / 32);
    context.strokeRect(col * side + 1, row * side + 1, side - 2, side - 2);
  }
}
