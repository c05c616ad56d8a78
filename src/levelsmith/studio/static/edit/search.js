// Improve, repair and fill: a proposal for the drawing, seen as it comes, and used or not.
import { post, remove, watch } from "../api.js";
import { Board, drawCursor } from "../board.js";
import { button, capital, el, field, guarded, number, plural, problemLine, select, speak, words } from "../ui.js";
import { read, runs, shown, text as drawnText } from "./drawing.js";

const SECONDS = 8;
const MOST_LISTED = 40; // cells that differ
const WORKING = { improve: "Improving…", easier: "Making it easier…", repair: "Repairing…", fill: "Filling unlocked cells…" };
const NOTHING = {
  improve: "Nothing better was found. More seconds or fewer locks may help.",
  easier: "Nothing easier was found. More seconds or fewer locks may help.",
  repair: "Nothing is broken: the level stays as it is.",
  fill: "Nothing was found to fill in. More seconds or fewer locks may help.",
};

const AIMED = ["improve", "easier"]; // at more or less of something

/** @param current gives {game, drawing, text, asks}; `accept(text)` takes a level over. */
export function searchCard({ current, accept }) {
  const frame = el("div", { class: "board preview" });
  const board = new Board(frame, { marks: (context, side) => changes.forEach((cell) => drawCursor(context, side, cell)) });
  const seconds = el("input", { type: "number", min: 1, max: 600, value: SECONDS });
  const status = el("p", { class: "soft", role: "status" });
  const gain = el("p", { class: "gain" });
  const problem = problemLine();
  const bar = el("progress", { max: 1, value: 0, "aria-label": "Part of the time that is spent" });
  let aim = select([]);
  const goal = field("More of", aim);
  let job = null; // {id, kind, close} of the proposal that is made or shown
  let before = ""; // the drawing that it is for
  let best = null;
  let changes = []; // cells that differ

  const start = guarded(async (kind) => {
    dismiss();
    const { game, drawing, text, asks } = current();
    const kept = kind === "fill" ? drawing.locked.map((on, at) => on || drawing.painted[at]) : drawing.locked;
    before = text;
    best = null;
    show(text);
    working(kind);
    try {
      const { id } = await post("jobs", {
        game: game.name, edit: kind, start: text, lock: runs(drawing, kept), seconds: Number(seconds.value), seed: seed(),
        ...(aim.value && AIMED.includes(kind) && { objective: aim.value }), ...asks,
      });
      follow(id, kind);
    } catch (error) {
      working(null);
      result.hidden = true;
      throw error;
    }
  }, problem);

  function follow(id, kind) {
    const close = watch(id, {
      progress(event) {
        bar.value = Math.min(1, event.seconds / Number(seconds.value));
        if (event.text && event.text !== best) {
          best = event.text;
          show(best);
        }
        if (event.told) gain.textContent = capital(event.told.replace(/([0-9]) to (?=[0-9])/g, "$1 → "));
      },
      state(event) {
        if (event.note) status.textContent = capital(event.note);
        if (["done", "failed", "cancelled", "interrupted"].includes(event.state)) ended(kind, event);
      },
    });
    job = { id, kind, close };
  }

  function ended(kind, { state, error }) {
    working(null);
    if (state === "failed") {
      problem.tell(capital(`${error ?? "the search failed"}.`));
      dismiss(false);
      return;
    }
    if (!changes.length) {
      dismiss();
      status.textContent = NOTHING[kind];
      speak(status.textContent);
      return;
    }
    fillCells();
    status.textContent = "Use this version?";
    speak(`${gain.textContent}. ${status.textContent}`);
  }

  /** Lists the cells that differ; each can be taken alone, here or on the board. */
  function fillCells() {
    const { game } = current();
    const [old, made] = [read(game.tiles, before), read(game.tiles, best)];
    const alike = old.width === made.width && old.cells.length === made.cells.length;
    cells.hidden = !alike || !changes.length || changes.length > MOST_LISTED;
    if (cells.hidden) return;
    list.replaceChildren(...changes.map(([row, col]) => {
      const at = row * made.width + col;
      const [was, is] = [old, made].map((drawing) => game.tiles[drawing.cells[at]].name);
      return el("li", {}, button(`Row ${row + 1}, column ${col + 1}: ${was} → ${is}`, () => take([row, col]), { class: "quiet", title: "Take this cell alone" }));
    }));
  }

  /** Takes one cell of the proposal into the drawing; the others wait. */
  function take([row, col]) {
    const { game } = current();
    const [old, made] = [read(game.tiles, before), read(game.tiles, best)];
    const at = row * made.width + col;
    before = drawnText(game.tiles, { ...old, cells: old.cells.map((tile, i) => (i === at ? made.cells[at] : tile)) });
    accept(before);
    show(best);
    if (changes.length) fillCells();
    else dismiss();
  }

  const cellsTold = () => `${plural(changes.length, "cell")} of ${number(current().drawing.cells.length)} changed`;

  function working(kind) {
    for (const name of Object.keys(WORKING)) buttons[name].disabled = Boolean(kind);
    buttons.stop.hidden = bar.hidden = !kind;
    bar.value = 0;
    buttons.accept.hidden = buttons.reject.hidden = Boolean(kind);
    if (kind) status.textContent = WORKING[kind];
  }

  function show(text) {
    const { game } = current();
    const drawing = read(game.tiles, text);
    const { width, cells: now } = drawing;
    const old = read(game.tiles, before);
    const alike = old.width === width && old.cells.length === now.length;
    changes = now.flatMap((tile, at) => (alike && tile === old.cells[at] ? [] : [[Math.floor(at / width), at % width]]));
    result.hidden = false;
    cells.hidden = true;
    gain.textContent = changes.length ? cellsTold() : "";
    board.show(shown(game, drawing));
    board.label = `The proposal: ${gain.textContent}`;
  }

  const buttons = {
    improve: button("Improve", () => start("improve"), { class: "primary", title: "Change as little as makes it harder or longer" }),
    easier: button("Make easier", () => start("easier")),
    repair: button("Repair", () => start("repair"), { title: "Change as few cells as make it playable" }),
    fill: button("Fill unlocked cells", () => start("fill"), { title: "Keep what is locked and what you have painted" }),
    stop: button("Stop", guarded(() => job && post(`jobs/${job.id}/cancel`)), { hidden: true }),
    accept: button("Accept", () => {
      const text = best;
      dismiss();
      accept(text);
    }, { class: "primary" }),
    reject: button("Reject", () => dismiss()),
  };
  const list = el("ul", { class: "plain" });
  const cells = el("details", { hidden: true }, el("summary", {}, "Cell by cell"), list);
  const result = el("div", { class: "stack tight", hidden: true }, frame, gain, cells);
  board.canvas.addEventListener("click", (event) => {
    const [row, col] = board.at(event) ?? [];
    if (!buttons.accept.hidden && changes.some(([r, c]) => r === row && c === col)) take([row, col]);
  });

  /** Nothing stays of a proposal that is not used, nor of how one was made that is. */
  function dismiss(quiet = true) {
    const over = job;
    job = null;
    result.hidden = true;
    changes = [];
    status.textContent = "";
    if (quiet) problem.tell("");
    working(null);
    buttons.accept.hidden = buttons.reject.hidden = true;
    if (!over) return;
    over.close();
    post(`jobs/${over.id}/cancel`).then(() => remove(`jobs/${over.id}`)).catch(() => {}); // one that still ends goes with the next start
  }

  const element = el("section", { class: "card", "aria-label": "Proposals" }, el("h2", {}, "Let the studio change it"),
    el("div", { class: "row" }, buttons.improve, buttons.easier, buttons.repair, buttons.fill),
    problem,
    el("div", { class: "row spread" }, status, el("div", { class: "row" }, buttons.stop, buttons.accept, buttons.reject)), bar,
    result,
    el("details", {}, el("summary", {}, "Options"), el("div", { class: "stack tight" }, el("p", { class: "soft" }, "Locked cells stay as they are."),
      el("div", { class: "fields" }, goal, field("Seconds", seconds)))));

  /** Another game: what can be improved about it, and its sprites. */
  async function dress(game) {
    dismiss();
    const aims = game.aims ?? [];
    aim = select(aims.map((name) => [name, words(name)]), aims[0]);
    goal.querySelector("select").replaceWith(aim);
    goal.hidden = aims.length < 2;
    buttons.improve.hidden = buttons.easier.hidden = !aims.length;
    buttons.repair.hidden = buttons.fill.hidden = Boolean(current().asks.script); // which nothing can do for any rules
    await board.dress(game.name);
  }

  dismiss();
  return { element, dress, start };
}

const seed = () => Math.floor(Math.random() * 1e6);
