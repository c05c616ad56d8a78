// How players steer: which key means which direction, and buttons for thumbs.
import { button, el } from "../ui.js";

const DIRECTIONS = { ArrowUp: "u", ArrowDown: "d", ArrowLeft: "l", ArrowRight: "r", w: "u", s: "d", a: "l", d: "r" };
const SWIPE = 28; // CSS pixels
export const ARROWS = { u: ["↑", "Up"], l: ["←", "Left"], d: ["↓", "Down"], r: ["→", "Right"] };

/** The name of a key, the same with and without shift. */
export const keyOf = ({ key }) => (key.length === 1 ? key.toLowerCase() : key);

/** The direction u d l r that a key stands for, or undefined. */
export const directionOf = (event) => DIRECTIONS[keyOf(event)];

/** Buttons below a board, three in a row; each is [sign, name, press, release]. They are shown where fingers play. */
export function pad(keys) {
  const made = keys.map(([sign, name, press, release]) => {
    const key = button(sign, null, { "aria-label": name, title: name });
    key.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      key.setPointerCapture(event.pointerId);
      press();
    });
    key.addEventListener("click", (event) => event.detail === 0 && press()); // by a key or a screen reader
    for (const kind of release ? ["pointerup", "pointercancel", "lostpointercapture"] : []) key.addEventListener(kind, release);
    return key;
  });
  return el("div", { class: "pad", role: "group", "aria-label": "Steer" }, ...made);
}

/** Listens to a finger or a mouse on a board: `swipe(direction)` again and again as it moves, `click(event)` where it
 * stayed. @param {HTMLElement} canvas @param {{click: function(Event): void, swipe: function(string): void}} hooks */
export function gestures(canvas, { click, swipe }) {
  let anchor = null;
  canvas.addEventListener("pointerdown", (event) => {
    anchor = { x: event.clientX, y: event.clientY, moved: false };
    if (event.pointerType !== "mouse") canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!anchor || event.pointerType === "mouse") return;
    const [x, y] = [event.clientX - anchor.x, event.clientY - anchor.y];
    if (Math.max(Math.abs(x), Math.abs(y)) < SWIPE) return;
    anchor = { x: event.clientX, y: event.clientY, moved: true };
    if (Math.abs(x) > Math.abs(y)) swipe(x > 0 ? "r" : "l");
    else swipe(y > 0 ? "d" : "u");
  });
  canvas.addEventListener("pointerup", (event) => {
    if (anchor && !anchor.moved) click(event);
    anchor = null;
  });
  canvas.addEventListener("pointercancel", () => { anchor = null; });
}
