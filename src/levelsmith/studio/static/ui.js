// Small helpers for pages: elements, messages, numbers.
import { ABOUT } from "./games/about.js";

/** An element: `el("button", {class: "primary", onclick: go}, "Go")`; null children and false attributes are left out. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Puts children into an element in place of those it had; null and false are left out. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

export function button(label, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, label);
}

/** A labelled control; the label names it for screen readers. */
export function field(label, control, hint, kind = "") {
  return el("label", { class: `field ${kind}` }, el("span", {}, label), control, hint ? el("small", {}, hint) : null);
}

export function select(options, value, onchange) {
  const control = el("select", { onchange: () => onchange?.(control.value) });
  for (const option of options) {
    const [key, label] = Array.isArray(option) ? option : [option, option];
    control.append(el("option", { value: key, selected: key === value }, label));
  }
  return control;
}

/** A number with its name, for counters; `set(text)` changes it without moving its neighbours. */
export function stat(label, value = "–") {
  const number = el("dd", {}, value);
  const name = el("dt", {}, label);
  const element = el("div", { class: "stat" }, name, number);
  element.set = (text) => { number.textContent = text; };
  element.name = (text) => { name.textContent = text; };
  return element;
}

export function stats(...items) {
  return el("dl", { class: "stats" }, ...items);
}

/** A passing message; `action` is {label, run}, such as an undo. */
export function toast(message, action, seconds = 6) {
  const element = el("div", { class: "toast" }, el("span", {}, message));
  const close = () => element.remove();
  if (action) element.append(button(action.label, () => { close(); action.run(); }));
  element.append(button("×", close, { class: "quiet icon", "aria-label": "Close" }));
  document.getElementById("toasts").append(element);
  setTimeout(close, seconds * 1000);
  return close;
}

/** What keys do: `keys({z: "undo"})`. */
export function keys(meanings) {
  return el("div", { class: "keys" }, ...Object.entries(meanings).map(([key, what]) => el("span", {}, el("kbd", {}, key), ` ${what}`)));
}

/** Says something to screen readers only. */
export function speak(text) {
  document.getElementById("spoken").textContent = text;
}

/** A line for what went wrong, beside the button that was pressed; `tell("")` takes it away. */
export function problemLine() {
  const element = el("p", { class: "problem-line", role: "alert", hidden: true });
  element.tell = (text) => {
    element.textContent = text ?? "";
    element.hidden = !text;
  };
  return element;
}

/** Runs a handler that may fail; the reason is shown in passing, or in a line that stays. */
export function guarded(handler, problem = null) {
  return async (...values) => {
    try {
      problem?.tell("");
      return await handler(...values);
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      if (problem) problem.tell(error.message);
      else toast(error.message);
      return undefined;
    }
  };
}

/** What stands where nothing is yet: a sentence, and what to do about it below. */
export function empty(sentence, ...ways) {
  return el("div", { class: "card empty wide" }, el("p", {}, sentence), el("div", { class: "row centre" }, ...ways));
}

/** Calls `handler` once nothing has been asked for so many milliseconds. */
export function debounce(handler, milliseconds) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => handler(...values), milliseconds);
  };
}

export async function copy(text, what = "Copied") {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what}.`);
  } catch {
    toast("The browser does not allow copying here; select the text instead.");
  }
}

export function number(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number" || (Number.isInteger(value) && Math.abs(value) < 1000)) return String(value); // quick: most are so
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toLocaleString("en", { maximumFractionDigits: 3 });
}

/** Large counts in few letters: 1.2M. */
export function compact(value) {
  if (value === null || value === undefined) return "–";
  return value < 1e5 ? number(value) : value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });
}

/** A score from 0 to 1 as people read it: how much of what was asked for a level meets. */
export const percent = (score) => (score === null || score === undefined ? "–" : `${Math.floor(100 * score)} %`);

export const plural = (count, word) => `${number(count)} ${word}${count === 1 ? "" : /(sh|x)$/.test(word) ? "es" : "s"}`;

const METRICS = Object.assign({}, ...Object.values(ABOUT).map((about) => about.METRICS));

/** Metric names as people read them: `turn_share` may be `symmetry by half a turn`. */
export const words = (name) => METRICS[name.replaceAll("-", "_")] ?? name.replaceAll("_", " ").replaceAll("-", " ");

/** A game's name as people write it. */
export const gameName = (name) => ABOUT[name]?.NAME ?? capital(words(name));

export const capital = (text) => text.replace(/^./, (first) => first.toUpperCase());

/** Keys go to the page unless someone is typing. */
export function typing(event) {
  return event.target.closest?.("input:not([type=checkbox]), select, textarea, [contenteditable]") || event.ctrlKey || event.metaKey || event.altKey;
}
