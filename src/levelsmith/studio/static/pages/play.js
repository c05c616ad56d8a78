// Play: one level at a time, with the next and the previous of the gallery, or of the pack, at hand.
import { get, query } from "../api.js";
import { keptPack } from "../packs.js";
import { Plays } from "../play/plays.js";
import { Stage } from "../play/stage.js";
import { ABOUT } from "../games/about.js";
import { button, el, empty, gameName, number, words } from "../ui.js";

export const title = "Play";

export default async function page(root, parameters) {
  const filter = Object.fromEntries([...parameters].filter(([name]) => !["level", "text", "title", "from"].includes(name)));
  // The order of the list that led here; else the numbers upwards from a level, or the newest first.
  const inPack = parameters.has("pack");
  if (!inPack) filter.sort ??= parameters.get("level") ? "id" : "-id";

  /** The levels to go through, each fetched when its turn comes. */
  async function find() {
    const text = parameters.get("text");
    if (text) return [{ game: parameters.get("game") ?? "sokoban", text, size: sizeOf(text), title: parameters.get("title") || "From the editor" }];
    if (inPack) {
      const there = new Set((await get("levels/order")).ids); // some may be deleted
      return keptPack().levels.filter((one) => there.has(one.id)).map((one) => ({ id: one.id, named: one.title }));
    }
    const { ids } = await get(`levels/order${query(filter)}`);
    const id = Number(parameters.get("level"));
    if (id && !ids.includes(id)) return [{ id }];
    const samples = Object.values(ABOUT).map(({ SAMPLE }) => SAMPLE).filter((level) => !filter.game || level.game === filter.game);
    return ids.length ? ids.map((one) => ({ id: one })) : samples;
  }

  const levels = await find();
  const heading = el("h1", {});
  const place = el("p", { class: "soft" });
  const edit = el("a", { class: "button" }, "Edit");
  const previous = button("‹ Previous", () => stage.go(-1));
  const next = button("Next ›", () => stage.go(1));
  const plays = new Plays();
  const stage = new Stage(levels, (level, index, went) => {
    const name = gameName(level.game);
    const called = level.named || level.title;
    heading.textContent = called || (level.id ? `${name} #${level.id}` : name);
    place.textContent = [called && name, level.size.replace("x", " × "), `${number(index + 1)} of ${number(levels.length)}`, levels.length > 1 && (inPack ? "of the pack" : listed(filter))].filter(Boolean).join(" · ");
    previous.disabled = index <= 0;
    next.disabled = index >= levels.length - 1;
    const drawn = { level: parameters.get("from"), game: level.game, text: level.text, title: parameters.get("title") };
    edit.href = `/edit${query(level.id ? { level: level.id } : drawn)}`;
    if (went && level.id) history.pushState(null, "", `/play${query({ ...filter, level: level.id })}`);
  }, plays);
  addEventListener("popstate", () => location.reload());
  root.replaceChildren(
    el("div", { class: "row spread" },
      el("div", { class: "head" }, heading, place),
      el("div", { class: "row" }, previous, next, edit)),
    stage.element, plays.element);

  if (!levels.length) {
    stage.element.replaceChildren(empty("No levels here yet.", el("a", { class: "button primary", href: "/generate" }, "Generate")));
    return;
  }
  const asked = parameters.get("level");
  await stage.open(levels.find((level) => String(level.id) === asked) ?? levels[0]);
}

/** The order of a list in words: newest first, most pushes first. */
function listed({ sort, job, game }) {
  const down = sort.startsWith("-");
  const name = sort.replace("-", "");
  const order = { id: job ? "in the order made" : down ? "newest first" : "oldest first", score: "best match first", title: "by title", difficulty: down ? "hardest first" : "easiest first", cells: down ? "largest first" : "smallest first" }[name]
    ?? `${down ? "most" : "least"} ${words(name)} first`;
  return [game && `${gameName(game)} only`, order].filter(Boolean).join(", ");
}

function sizeOf(text) {
  const rows = text.split("\n");
  return `${Math.max(...rows.map((row) => row.length))}x${rows.length}`;
}
