// A map of levels by two metrics: how many lie in each cell (their expressive range), or the best of each.
import { get, query } from "../api.js";
import { button, el, field, number, select, words } from "../ui.js";

/** @param open is called with the ranges of a cell: {"min.pushes": 3, "max.pushes": 5, …}. */
export function plotCard({ open }) {
  const grid = el("div", { class: "map", role: "grid" });
  const captions = { x: el("p", { class: "soft" }), y: el("p", { class: "soft" }) };
  const controls = el("div", { class: "fields" });
  const element = el("details", { class: "card" }, el("summary", {}, "Map of your levels"),
    el("div", { class: "stack tight" }, controls, captions.y, grid, captions.x));
  const choice = { x: null, y: null, shows: "count" };
  let ask = null;

  element.addEventListener("toggle", () => { if (element.open) draw(); });

  async function draw() {
    if (!ask || !element.open) return;
    const { game, filter } = ask;
    const told = await get(`levels/map${query({ ...filter, game: game.name, x: choice.x, y: choice.y, bins: 14 })}`);
    const { x, y, cells } = told;
    const at = new Map(cells.map((cell) => [`${cell.x},${cell.y}`, cell]));
    const value = (cell) => (choice.shows === "count" ? cell.count : cell.score ?? 0);
    const [low, high] = [Math.min(0, ...cells.map(value)), Math.max(1e-9, ...cells.map(value))];
    grid.style.gridTemplateColumns = `repeat(${x.bins}, minmax(0, 1fr))`;
    grid.replaceChildren();
    for (let j = y.bins - 1; j >= 0; j -= 1) {
      for (let i = 0; i < x.bins; i += 1) grid.append(cellOf(at.get(`${i},${j}`), x, y, (cell) => (value(cell) - low) / (high - low)));
    }
    captions.y.textContent = `↑ ${words(y.metric)} ${number(y.low)} to ${number(y.low + y.step * y.bins)}`;
    captions.x.textContent = `→ ${words(x.metric)} ${number(x.low)} to ${number(x.low + x.step * x.bins)} · ${number(told.total)} levels`;
  }

  function cellOf(cell, x, y, strength) {
    if (!cell) return el("span", { class: "map-cell" });
    const span = (axis, i) => [axis.low + axis.step * i, axis.low + axis.step * (i + 1)];
    const [[x0, x1], [y0, y1]] = [span(x, cell.x), span(y, cell.y)];
    const label = `${words(x.metric)} ${number(x0)}, ${words(y.metric)} ${number(y0)}: ${cell.count} levels, best match ${number(cell.score)}`;
    // The upper end belongs to the next cell; whole numbers end one below it.
    const last = (axis, i, end) => (axis.whole ? end - 1 : i === axis.bins - 1 ? end : end - axis.step / 1000);
    const short = (value) => Number(value.toPrecision(6));
    const key = button(choice.shows === "count" && cell.count > 1 ? String(cell.count) : "", () => open({
      [`min.${x.metric}`]: short(x0), [`max.${x.metric}`]: short(last(x, cell.x, x1)),
      [`min.${y.metric}`]: short(y0), [`max.${y.metric}`]: short(last(y, cell.y, y1)),
    }, cell), { class: "map-cell full", title: label, "aria-label": label });
    key.style.setProperty("--strength", `${Math.round(20 + 80 * strength(cell))}%`);
    key.classList.toggle("strong", strength(cell) > 0.6);
    return key;
  }

  /** The levels of a game, as they are filtered; without a game there is nothing to plot. */
  function show(game, filter) {
    element.hidden = !game;
    if (!game) return;
    const names = game.metrics.map((one) => one.name);
    if (!names.includes(choice.x)) choice.x = ["pushes", "path", "gold"].find((name) => names.includes(name)) ?? names[0];
    if (!names.includes(choice.y)) choice.y = ["difficulty", "empty", "connectivity"].find((name) => names.includes(name)) ?? names.at(-1);
    const pick = (axis) => select(names.map((name) => [name, words(name)]), choice[axis], (name) => { choice[axis] = name; draw(); });
    controls.replaceChildren(field("Across", pick("x")), field("Upwards", pick("y")),
      field("Shows", select([["count", "how many levels"], ["score", "the best match"]], choice.shows, (shows) => { choice.shows = shows; draw(); })));
    ask = { game, filter };
    draw();
  }

  return { element, show };
}
