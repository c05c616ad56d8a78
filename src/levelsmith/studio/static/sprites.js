// Tiles as the studio draws them: the SVG of each is read once and painted at any size in whole pixels.
import { sprites as fetched } from "./api.js";

const parser = new DOMParser();
const lent = new Map(); // of games that are in no catalogue, by name
const numbers = (element, ...names) => names.map((name) => Number(element.getAttribute(name) ?? 0));

function trace(context, element) {
  context.beginPath();
  if (element.tagName === "rect") {
    const [x, y, width, height, radius] = numbers(element, "x", "y", "width", "height", "rx");
    context.roundRect(x, y, width, height, radius);
  } else if (element.tagName === "circle") {
    const [x, y, radius] = numbers(element, "cx", "cy", "r");
    context.arc(x, y, radius, 0, 2 * Math.PI);
  } else {
    for (const point of element.getAttribute("points").split(" ")) context.lineTo(...point.split(",").map(Number));
    if (element.tagName === "polygon") context.closePath();
  }
}

function draw(context, element) {
  trace(context, element);
  if (element.hasAttribute("stroke")) {
    context.strokeStyle = element.getAttribute("stroke");
    context.lineWidth = Number(element.getAttribute("stroke-width"));
    context.lineCap = context.lineJoin = "round";
    context.stroke();
  } else {
    context.fillStyle = element.getAttribute("fill");
    context.fill();
  }
}

const FIFTHS = 5; // pixels across a PuzzleScript sprite

/** Whether a sprite is made of such pixels alone, which must meet without a seam at any size. */
function isPixels(shapes, cell) {
  const whole = (value) => Math.abs(value - Math.round(value)) < 1e-6;
  return shapes.every((element) => element.tagName === "rect" && !element.hasAttribute("rx") && !element.hasAttribute("stroke")
    && numbers(element, "x", "y", "width", "height").every((value) => whole((value * FIFTHS) / cell)));
}

/** Fills a rectangle from one whole pixel of the canvas to another. */
function fillWhole(context, element, scale) {
  const [x, y, width, height] = numbers(element, "x", "y", "width", "height");
  const [left, top, right, bottom] = [x, y, x + width, y + height].map((value) => Math.round(value * scale));
  context.fillStyle = element.getAttribute("fill");
  context.fillRect(left, top, right - left, bottom - top);
}

/** A drawing as its shapes, or the address of a picture as a picture. */
function layer(source) {
  if (!source.startsWith("data:")) return [...parser.parseFromString(source, "image/svg+xml").documentElement.children];
  const picture = new Image();
  picture.src = source;
  return picture;
}

export class Sprites {
  #cell;
  #layers = new Map(); // of each tile: shapes of its drawing, or pictures of somebody's own
  #painted = new Map();

  constructor({ cell, tiles, tops }) {
    this.#cell = cell;
    for (const [kind, documents] of [["tile", tiles], ["top", tops]]) {
      for (const [name, sources] of Object.entries(documents)) this.#layers.set(`${kind} ${name}`, [sources].flat().map(layer));
    }
  }

  static async load(game) {
    const made = new Sprites(lent.get(game) ?? await fetched(game, document.documentElement.dataset.theme));
    const pictures = [...made.#layers.values()].flat().filter((one) => one instanceof Image);
    await Promise.all(pictures.map((one) => one.decode()));
    return made;
  }

  /** Gives a game that the studio does not know sprites, while the page is open. */
  static lend(game, sprites) {
    lent.set(game, sprites);
  }

  /** A whole tile, its side so many pixels. */
  tile(context, name, x, y, side) {
    context.drawImage(this.#sprite(`tile ${name}`, side), x, y);
  }

  /** What stands on the ground: a box without its floor. */
  top(context, name, x, y, side) {
    context.drawImage(this.#sprite(`top ${name}`, side), x, y);
  }

  #sprite(key, side) {
    if (!this.#painted.has(side)) this.#painted.set(side, new Map());
    const sprites = this.#painted.get(side);
    if (!sprites.has(key)) {
      const canvas = new OffscreenCanvas(side, side);
      const context = canvas.getContext("2d");
      const scale = side / this.#cell;
      for (const shapes of this.#layers.get(key) ?? []) {
        if (shapes instanceof Image) {
          context.imageSmoothingEnabled = shapes.width > side; // enlarged, pixels stay pixels
          context.drawImage(shapes, 0, 0, side, side);
        } else if (isPixels(shapes, this.#cell)) {
          for (const element of shapes) fillWhole(context, element, scale);
        } else {
          context.save();
          context.scale(scale, scale);
          for (const element of shapes) draw(context, element);
          context.restore();
        }
      }
      sprites.set(key, canvas);
    }
    return sprites.get(key);
  }
}

/** A small canvas of one tile, for palettes. */
export function swatch(sprites, name, side = 32) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.round(side * devicePixelRatio);
  sprites.tile(canvas.getContext("2d"), name, 0, 0, canvas.width);
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}
