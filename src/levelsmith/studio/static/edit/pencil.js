// The hand that draws on a board: strokes of a pointer, and a cursor that the arrow keys move.
import { drawCursor } from "../board.js";
import { speak } from "../ui.js";
import { line } from "./drawing.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Pencil {
  #board;
  #hands;
  #stroke = null; // {drawing, last, on} while a pointer is down
  #cursor = null; // where the keyboard paints, once it does

  /**
   * `drawing()` is what stands, `intent(cell, erase)` what a stroke that begins at a cell does,
   * `apply(drawing, cells, on)` a drawing after that, `show()` shows `now`, `commit(drawing)` keeps it, and
   * `named(at)` is what is in a cell, in words.
   */
  constructor(board, hands) {
    this.#board = board;
    this.#hands = hands;
    const { canvas } = board;
    canvas.tabIndex = 0;
    canvas.addEventListener("pointerdown", (event) => this.#begin(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, () => this.#end());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("blur", () => board.redraw());
    canvas.addEventListener("keydown", (event) => this.#press(event));
  }

  /** The drawing with the stroke that is being made. */
  get now() {
    return this.#stroke?.drawing ?? this.#hands.drawing();
  }

  get isDown() {
    return this.#stroke !== null;
  }

  /** Has the cursor go, until a key brings it back. */
  lift() {
    this.#cursor = null;
  }

  mark(context, side) {
    if (this.#cursor && document.activeElement === this.#board.canvas) drawCursor(context, side, this.#cursor);
  }

  #begin(event) {
    const cell = this.#board.at(event);
    if (!cell) return;
    this.#board.canvas.setPointerCapture(event.pointerId);
    this.lift();
    const on = this.#hands.intent(cell, event.button === 2);
    this.#stroke = { drawing: this.#hands.apply(this.#hands.drawing(), [cell], on), last: cell, on };
    this.#hands.show();
  }

  #move(event) {
    const cell = this.#stroke && this.#board.at(event);
    if (!cell || String(cell) === String(this.#stroke.last)) return;
    const { drawing, last, on } = this.#stroke;
    this.#stroke = { drawing: this.#hands.apply(drawing, line(last, cell), on), last: cell, on };
    this.#hands.show();
  }

  #end() {
    if (!this.#stroke) return;
    const { drawing } = this.#stroke;
    this.#stroke = null;
    this.#hands.commit(drawing);
  }

  #press(event) {
    const drawing = this.#hands.drawing();
    if (event.key in ARROWS) {
      const [row, col] = this.#cursor ?? [0, 0];
      const [down, right] = this.#cursor ? ARROWS[event.key] : [0, 0];
      const within = (place, side) => Math.min(side - 1, Math.max(0, place));
      this.#cursor = [within(row + down, drawing.height), within(col + right, drawing.width)];
      const at = this.#cursor[0] * drawing.width + this.#cursor[1];
      speak(`row ${this.#cursor[0] + 1}, column ${this.#cursor[1] + 1}: ${this.#hands.named(at)}`);
      this.#board.redraw();
    } else if ((event.key === " " || event.key === "Enter") && this.#cursor) {
      this.#hands.commit(this.#hands.apply(drawing, [this.#cursor], this.#hands.intent(this.#cursor, false)));
    } else return;
    event.preventDefault();
  }
}
