// Play: one level at a time, with the next and the previous of the gallery at hand.
import { get, query } from "../api.js";
import { play as playFilm } from "../play/film.js";
import { play as playLoderunner } from "../play/loderunner.js";
import { play as playMap } from "../play/map.js";
import { play as playSokoban } from "../play/sokoban.js";
import { SAMPLES } from "../samples.js";
import { button, el, guarded, number, typing, words } from "../ui.js";

export const title = "Play";
const GAMES = { sokoban: playSokoban, loderunner: playLoderunner, binary: playMap };
const SHOWN = 200; // levels that next and previous go through
const NAMES = { sokoban: "Sokoban", loderunner: "Lode Runner", binary: "Binary map" };

export default async function page(root, parameters) {
  const filter = Object.fromEntries([...parameters].filter(([name]) => !["level", "text"].includes(name)));
  let levels = [];
  let current = null;
  let hooks = {};

  async function find() {
    const text = parameters.get("text");
    if (text) return [{ game: parameters.get("game") ?? "sokoban", text, size: sizeOf(text), title: "From the editor" }];
    const { levels: found } = await get(`levels${query({ ...filter, limit: SHOWN })}`);
    const id = parameters.get("level");
    if (id && !found.some((level) => String(level.id) === id)) return [await get(`levels/${encodeURIComponent(id)}`)];
    const samples = Object.values(SAMPLES).filter((level) => !filter.game || level.game === filter.game);
    return found.length ? found : samples;
  }

  const heading = el("h1", {});
  const place = el("p", { class: "soft" });
  const edit = el("a", { class: "button" }, "Edit");
  const previous = button("‹ Previous", () => go(-1));
  const next = button("Next ›", () => go(1));
  const stage = el("div", { class: "work" });
  root.replaceChildren(
    el("div", { class: "row spread" },
      el("div", { class: "head" }, heading, place),
      el("div", { class: "row" }, previous, next, edit)),
    stage);

  async function open(level, remember) {
    hooks.stop?.();
    hooks = {};
    current = level;
    const index = levels.indexOf(level);
    const name = NAMES[level.game] ?? level.game.replace(/^./, (first) => first.toUpperCase());
    heading.textContent = level.title || name;
    place.textContent = `${level.title ? `${name} · ` : ""}${level.size.replace("x", " × ")} · ${index + 1} of ${number(levels.length)}`;
    previous.disabled = index <= 0;
    next.disabled = index >= levels.length - 1;
    edit.href = `/edit${query(level.id ? { level: level.id } : { game: level.game, text: level.text })}`;
    if (remember && level.id) history.pushState(null, "", `/play${query({ ...filter, level: level.id })}`);
    const frame = el("div", { class: "board tall" });
    const side = el("aside", { class: "stack", "aria-label": "Controls" });
    stage.replaceChildren(el("div", { class: "stack" }, frame), side);
    await (GAMES[level.game] ?? playFilm)({
      frame,
      side,
      level,
      finished: (end) => finished(frame, end),
      controls: (given) => { hooks = given; },
    });
    if (level.metrics && Object.keys(level.metrics).length) side.append(metrics(level));
  }

  /** The message at the end of a game; null takes it away. */
  function finished(frame, end) {
    frame.querySelector(".veil")?.remove();
    if (!end) return;
    const more = levels.indexOf(current) < levels.length - 1;
    const on = end.lost || !more
      ? button(end.lost ? "Try again" : "Play again", end.again, { class: "primary" })
      : button("Next level", () => go(1), { class: "primary" });
    frame.append(el("div", { class: end.lost ? "veil lost" : "veil" }, el("strong", {}, end.message), on));
  }

  const go = guarded(async (by) => {
    const level = levels[levels.indexOf(current) + by];
    if (level) await open(level, true);
  });

  addEventListener("keydown", (event) => {
    if (typing(event) || (event.target.closest?.("button, a") && [" ", "Enter"].includes(event.key))) return;
    if (hooks.key?.(event)) event.preventDefault();
    else if (event.key === "n") go(1);
    else if (event.key === "p") go(-1);
    else if (event.key === "Enter") stage.querySelector(".veil button")?.click();
  });
  addEventListener("keyup", (event) => hooks.up?.(event));
  addEventListener("blur", () => hooks.blur?.());
  addEventListener("popstate", () => location.reload());

  levels = await find();
  if (!levels.length) {
    stage.replaceChildren(el("p", { class: "card empty" }, "No levels here yet. ", el("a", { href: "/generate" }, "Generate some"), "."));
    return;
  }
  const asked = parameters.get("level");
  await open(levels.find((level) => String(level.id) === asked) ?? levels[0], false);
}

function sizeOf(text) {
  const rows = text.split("\n");
  return `${Math.max(...rows.map((row) => row.length))}x${rows.length}`;
}

function metrics(level) {
  const rows = Object.entries(level.metrics).flatMap(([name, value]) => [el("dt", {}, words(name)), el("dd", {}, number(value))]);
  return el("details", { class: "card" }, el("summary", {}, "Metrics"), el("dl", { class: "metrics" }, ...rows));
}
