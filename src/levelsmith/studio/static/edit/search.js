// Improve and fill in the rest: a search that starts from the drawing, its best seen as it comes.
import { post, watch } from "../api.js";
import { Board } from "../board.js";
import { button, el, field, guarded, number, select, speak, stat, stats, words } from "../ui.js";
import { read, runs } from "./drawing.js";

const SECONDS = 8;
// How a level is made better step by step; other games go by their defaults.
const IMPROVE = { sokoban: { search: "hc", representation: "rooms", set: { patience: 0 }, objective: "difficulty" } };

/** @param current gives {game, drawing, text}; `accept(text)` takes a level over. */
export function searchCard({ current, accept }) {
  const frame = el("div", { class: "board preview" });
  const board = new Board(frame);
  const score = stat("Score");
  const evaluations = stat("Evaluations");
  const seconds = el("input", { type: "number", min: 1, max: 600, value: SECONDS });
  const status = el("p", { class: "soft" });
  let objective = select([]);
  const goal = field("Objective", objective);
  let stop = null; // while a search runs
  let best = null;

  const start = guarded(async (fill) => {
    const { game, drawing, text } = current();
    const kept = fill ? drawing.locked.map((on, at) => on || drawing.painted[at]) : drawing.locked;
    const setting = { ...IMPROVE[game.name] };
    const boxes = [...text].filter((symbol) => "$*".includes(symbol)).length;
    if (game.name === "sokoban" && boxes) setting.set = { ...setting.set, boxes };
    if (objective.value) setting.objective = objective.value;
    best = null;
    result.hidden = false;
    showBest(text);
    score.set("–");
    evaluations.set("–");
    working(true);
    status.textContent = fill ? "Filling in what you left open…" : "Improving…";
    try {
      const { id } = await post("jobs", {
        game: game.name, ...setting, start: text, lock: runs(drawing, kept), seconds: Number(seconds.value), seed: seed(),
      });
      follow(id);
    } catch (error) {
      working(false);
      status.textContent = "";
      result.hidden = true;
      throw error;
    }
  });

  function follow(id) {
    const close = watch(id, {
      progress(event) {
        score.set(number(event.score));
        evaluations.set(number(event.evaluations));
        if (event.text) {
          best = event.text;
          showBest(best);
          buttons.accept.disabled = false;
        }
      },
      state(event) {
        if (["done", "failed", "cancelled"].includes(event.state)) ended(event);
      },
    });
    stop = async () => {
      close();
      ended({ state: "cancelled" });
      await post(`jobs/${id}/cancel`);
    };
  }

  function ended({ state, error }) {
    working(false);
    stop = null;
    const told = { done: best ? "Done. Take it over?" : "Nothing better was found.", cancelled: "Stopped." };
    status.textContent = error ?? told[state] ?? "The search failed.";
    speak(status.textContent);
  }

  function working(on) {
    for (const name of ["improve", "fill"]) buttons[name].hidden = on;
    buttons.stop.hidden = !on;
    buttons.accept.disabled = !best;
  }

  function showBest(text) {
    const { game } = current();
    const { width, cells } = read(game.tiles, text);
    const names = cells.map((tile) => game.tiles[tile].name);
    board.show(Array.from({ length: cells.length / width }, (_, row) => names.slice(row * width, (row + 1) * width)));
    board.label = "The best level that the search has found";
  }

  const buttons = {
    improve: button("Improve", () => start(false), { class: "primary", title: "Change what is not locked" }),
    fill: button("Fill in the rest", () => start(true), { title: "Keep what is locked and what you painted" }),
    stop: button("Stop", guarded(() => stop?.()), { hidden: true }),
    accept: button("Accept", () => {
      accept(best);
      dismiss();
    }, { class: "primary" }),
    reject: button("Reject", dismiss),
  };
  const result = el("div", { class: "stack", hidden: true }, frame, stats(score, evaluations),
    el("div", { class: "row" }, buttons.accept, buttons.reject));

  function dismiss() {
    stop?.();
    result.hidden = true;
    status.textContent = "";
  }

  const element = el("section", { class: "card" }, el("h2", {}, "Search"),
    el("p", { class: "soft" }, "Locked cells stay as they are."),
    el("div", { class: "fields" }, goal, field("Seconds", seconds)),
    el("div", { class: "row" }, buttons.improve, buttons.fill, buttons.stop), status, result);

  /** Another game: its objectives and its sprites. */
  async function dress(game) {
    dismiss();
    const names = (game.objectives ?? []).map((one) => one.name ?? one);
    objective = select([["", "the default"], ...names.map((name) => [name, words(name)])], IMPROVE[game.name]?.objective ?? "");
    goal.querySelector("select").replaceWith(objective);
    await board.dress(game.name);
  }

  return { element, dress };
}

function seed() {
  return Math.floor(Math.random() * 1e6);
}
