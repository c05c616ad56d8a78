// How near the best level came over the tries, a line for each level that was made; redrawn when something changed.
import { el, number } from "./ui.js";

const SPACE = "http://www.w3.org/2000/svg";
const [HEIGHT, LEFT, BOTTOM, TOP] = [180, 48, 22, 8];
const DOT = "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0"; // for a level whose first try was its best

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The points of each level that was made, counted from its own first try, which a point has as its fourth number. */
function runsOf(points) {
  const runs = [];
  let last = null;
  for (const point of points) {
    const from = point[3] ?? 0;
    if (!last || from !== (last[3] ?? 0) || point[2] < last[2]) runs.push({ points: [] });
    runs.at(-1).points.push([point[0] - from, point[2]]);
    last = point;
  }
  return runs;
}

/** Curves by name: `curve.show({best: [[evaluations, seconds, score], …]})`. */
export class Curve {
  #lines = new Map();
  #frame = 0;
  #series = {};

  constructor(label = "Match over tries") {
    this.axis = [svg("text", { x: LEFT - 6, y: TOP + 8, "text-anchor": "end" }), svg("text", { x: LEFT - 6, y: HEIGHT - BOTTOM, "text-anchor": "end" }),
      svg("text", { y: HEIGHT - 4, "text-anchor": "end" }), svg("text", { x: LEFT, y: HEIGHT - 4 }, "0")];
    this.frame = svg("path", { class: "axis" });
    this.plot = svg("svg", { class: "curve", role: "img", "aria-label": label, height: HEIGHT }, this.frame, ...this.axis);
    this.element = el("figure", { class: "plot" }, this.plot);
    new ResizeObserver(() => this.show(this.#series)).observe(this.element);
    this.label = label;
  }

  show(series) {
    this.#series = series;
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    const width = this.element.clientWidth || 480;
    this.frame.setAttribute("d", `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${width}`);
    this.axis[2].setAttribute("x", width - 2);
    const named = Object.entries(this.#series).map(([name, points]) => [name, runsOf(points.filter((point) => point[2] !== null))]);
    const all = named.flatMap(([, runs]) => runs.flatMap((run) => run.points));
    const most = Math.max(1, ...all.map((point) => point[0]));
    const scores = all.map((point) => point[1]);
    const [low, high] = [Math.min(0, ...scores), Math.max(scores.length ? -Infinity : 1, ...scores)];
    const x = (value) => LEFT + ((width - LEFT - 4) * value) / most;
    const y = (value) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * (value - low)) / (high - low || 1);
    this.axis[0].textContent = number(high);
    this.axis[1].textContent = number(low);
    const many = named.some(([, runs]) => runs.length > 1);
    this.axis[2].textContent = `${number(most)} ${most === 1 ? "try" : "tries"}${many ? " for one level" : ""}`;
    named.forEach(([name, runs], i) => {
      if (!this.#lines.has(name)) {
        const line = svg("path", { class: `line line-${i}` });
        this.#lines.set(name, line);
        this.plot.append(line);
      }
      let d = "";
      for (const { points } of runs) {
        points.forEach(([tries, score], at) => { d += at ? `H${x(tries).toFixed(1)}V${y(score).toFixed(1)}` : `M${x(tries).toFixed(1)} ${y(score).toFixed(1)}`; });
        if (points.length === 1) d += DOT;
      }
      this.#lines.get(name).setAttribute("d", d);
    });
    const last = named.map(([name, runs]) => `${name} ${number(runs.at(-1)?.points.at(-1)[1])}`).join(", ");
    this.plot.setAttribute("aria-label", `${this.label}: ${last}`);
  }
}
