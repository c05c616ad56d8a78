// A PuzzleScript board as its author drew it: five by five pixels an object, one over the other.
const SIDE = 5;
const CROSS = "#e03131";

/** A colour such as #8090a0 as a pixel of a picture; null is seen through. */
const pixel = (colour) => (colour ? (0xff000000 | parseInt(colour.slice(5, 7) + colour.slice(3, 5) + colour.slice(1, 3), 16)) >>> 0 : 0);

export class Pixels {
  #sprites;
  #order; // object numbers, from back to front
  #page;
  #words; // of a cell, in halves
  #cross = Uint32Array.from({ length: SIDE * SIDE }, (_, k) => (k % (SIDE + 1) === 0 || (k % (SIDE - 1) === 0 && k) ? pixel(CROSS) : 0));

  constructor({ sprites, order, page, program }) {
    this.#sprites = sprites.map((sprite) => Uint32Array.from(sprite, pixel));
    this.#order = order;
    this.#page = pixel(page);
    this.#words = 2 * program.rules.words;
  }

  /** Draws the cells of a board, column after column, on a canvas of as many pixels as they have; some, [row, col], are
   * crossed out. */
  draw(canvas, board, { height, width }, crossed = []) {
    if (canvas.width !== width * SIDE || canvas.height !== height * SIDE) Object.assign(canvas, { width: width * SIDE, height: height * SIDE });
    const context = canvas.getContext("2d");
    const image = context.createImageData(width * SIDE, height * SIDE);
    const pixels = new Uint32Array(image.data.buffer).fill(this.#page);
    for (let i = 0; i < width * height; i++) {
      const corner = (i % height) * SIDE * width * SIDE + Math.floor(i / height) * SIDE;
      for (const n of this.#order) {
        if ((board[i * this.#words + (n >> 5)] >> (n & 31)) & 1) this.#stamp(pixels, corner, width * SIDE, this.#sprites[n]);
      }
    }
    for (const [row, col] of crossed) this.#stamp(pixels, (row * width * SIDE + col) * SIDE, width * SIDE, this.#cross);
    context.putImageData(image, 0, 0);
  }

  #stamp(pixels, corner, across, sprite) {
    for (let k = 0; k < SIDE * SIDE; k++) {
      if (sprite[k]) pixels[corner + Math.floor(k / SIDE) * across + (k % SIDE)] = sprite[k];
    }
  }
}
