// A PuzzleScript board as its author drew it: five by five pixels an object, one over the other.
import { drawCross } from "../board.js";

const SIDE = 5;
const FINE = 8; // times as many pixels where cells are crossed out

/** A colour such as #8090a0 as a pixel of a picture; null is seen through. */
const pixel = (colour) => (colour ? (0xff000000 | parseInt(colour.slice(5, 7) + colour.slice(3, 5) + colour.slice(1, 3), 16)) >>> 0 : 0);

export class Pixels {
  #sprites;
  #order; // object numbers, from back to front
  #page;
  #words; // of a cell, in halves

  constructor({ sprites, order, page, program }) {
    this.#sprites = sprites.map((sprite) => Uint32Array.from(sprite, pixel));
    this.#order = order;
    this.#page = pixel(page);
    this.#words = 2 * program.rules.words;
  }

  /** Draws the cells of a board, column after column, on a canvas of as many pixels as they have, or of more where some,
   * [row, col], are crossed out. */
  draw(canvas, board, { height, width }, crossed = []) {
    const side = crossed.length ? SIDE * FINE : SIDE;
    if (canvas.width !== width * side || canvas.height !== height * side) Object.assign(canvas, { width: width * side, height: height * side });
    const context = canvas.getContext("2d");
    const image = new ImageData(width * SIDE, height * SIDE);
    const pixels = new Uint32Array(image.data.buffer).fill(this.#page);
    for (let i = 0; i < width * height; i++) {
      const corner = (i % height) * SIDE * width * SIDE + Math.floor(i / height) * SIDE;
      for (const n of this.#order) {
        if ((board[i * this.#words + (n >> 5)] >> (n & 31)) & 1) this.#stamp(pixels, corner, width * SIDE, this.#sprites[n]);
      }
    }
    context.putImageData(image, 0, 0);
    if (!crossed.length) return;
    context.imageSmoothingEnabled = false;
    context.globalCompositeOperation = "copy";
    context.drawImage(canvas, 0, 0, image.width, image.height, 0, 0, canvas.width, canvas.height);
    context.globalCompositeOperation = "source-over";
    drawCross(context, side, crossed);
  }

  #stamp(pixels, corner, across, sprite) {
    for (let k = 0; k < SIDE * SIDE; k++) {
      if (sprite[k]) pixels[corner + Math.floor(k / SIDE) * across + (k % SIDE)] = sprite[k];
    }
  }
}
