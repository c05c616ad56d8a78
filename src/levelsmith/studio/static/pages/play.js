// Play: one level at a time, with the next and the previous of the gallery at hand.
import { get, query } from "../api.js";
import { Stage, nameOf } from "../play/stage.js";
import { SAMPLES } from "../samples.js";
import { button, el, number } from "../ui.js";

export const title = "Play";
const SHOWN = 200; // levels that next and previous go through

export default async function page(root, parameters) {
  const filter = Object.fromEntries([...parameters].filter(([name]) => !["level", "text"].includes(name)));

  async function find() {
    const text = parameters.get("text");
    if (text) return [{ game: parameters.get("game") ?? "sokoban", text, size: sizeOf(text), title: "From the editor" }];
    const { levels: found } = await get(`levels${query({ ...filter, limit: SHOWN })}`);
    const id = parameters.get("level");
    if (id && !found.some((level) => String(level.id) === id)) return [await get(`levels/${encodeURIComponent(id)}`)];
    const samples = Object.values(SAMPLES).filter((level) => !filter.game || level.game === filter.game);
    return found.length ? found : samples;
  }

  const levels = await find();
  const heading = el("h1", {});
  const place = el("p", { class: "soft" });
  const edit = el("a", { class: "button" }, "Edit");
  const previous = button("‹ Previous", () => stage.go(-1));
  const next = button("Next ›", () => stage.go(1));
  const stage = new Stage(levels, (level, index, went) => {
    const name = nameOf(level.game);
    heading.textContent = level.title || name;
    place.textContent = `${level.title ? `${name} · ` : ""}${level.size.replace("x", " × ")} · ${index + 1} of ${number(levels.length)}`;
    previous.disabled = index <= 0;
    next.disabled = index >= levels.length - 1;
    edit.href = `/edit${query(level.id ? { level: level.id } : { game: level.game, text: level.text })}`;
    if (went && level.id) history.pushState(null, "", `/play${query({ ...filter, level: level.id })}`);
  });
  addEventListener("popstate", () => location.reload());
  root.replaceChildren(
    el("div", { class: "row spread" },
      el("div", { class: "head" }, heading, place),
      el("div", { class: "row" }, previous, next, edit)),
    stage.element);

  if (!levels.length) {
    stage.element.replaceChildren(el("p", { class: "card empty" }, "No levels here yet. ", el("a", { href: "/generate" }, "Generate some"), "."));
    return;
  }
  const asked = parameters.get("level");
  await stage.open(levels.find((level) => String(level.id) === asked) ?? levels[0]);
}

function sizeOf(text) {
  const rows = text.split("\n");
  return `${Math.max(...rows.map((row) => row.length))}x${rows.length}`;
}
