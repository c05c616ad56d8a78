// A level as a card: its picture, what it is like, a star, and ways on.
import { patch, query, remove, post } from "./api.js";
import { thumb } from "./thumb.js";
import { button, capital, el, guarded, number, toast, words } from "./ui.js";

const TOLD = ["difficulty", "pushes", "moves", "path", "gold_collectable", "gold", "trees", "empty", "boxes"];

/** The metrics worth a line: those that were sorted or filtered by first. */
export function summary(level, wanted = []) {
  const told = TOLD.filter((name) => !(level.tier && name === "difficulty"));
  const names = [...wanted, ...told].filter((name, i, all) => level.metrics[name] !== undefined && all.indexOf(name) === i);
  return names.slice(0, 2).map((name) => `${words(name)} ${number(Math.round(level.metrics[name] * 100) / 100)}`).join(" · ");
}

export const nameOf = (level) => level.title || `#${level.id}`;

export function starButton(level, changed) {
  const show = () => {
    star.textContent = level.starred ? "★" : "☆";
    star.setAttribute("aria-pressed", String(level.starred));
  };
  const star = button("☆", guarded(async () => {
    Object.assign(level, await patch(`levels/${level.id}`, { starred: !level.starred }));
    show();
    changed?.(level);
  }), { class: "quiet icon star", "aria-label": `Star ${nameOf(level)}` });
  show();
  return star;
}

/** Takes levels away, with a way back. */
export async function removeLevels(levels, changed) {
  for (const level of levels) await remove(`levels/${level.id}`);
  changed();
  toast(levels.length === 1 ? `${nameOf(levels[0])} deleted.` : `${levels.length} levels deleted.`, {
    label: "Undo",
    run: guarded(async () => {
      for (const level of levels) await post(`levels/${level.id}/restore`);
      changed();
    }),
  });
}

/** @param chosen adds a box to select by; `open` is what a click on the card does; `list` is the query of the list
 * that it stands in, so that Play goes on with its neighbours. */
export function levelCard(level, { wanted = [], chosen = null, open = null, starred = null, list = {} } = {}) {
  const picture = thumb(level, `${nameOf(level)}, ${level.size}`);
  const link = el("a", { class: "picture", href: `/play${query({ ...list, level: level.id })}`, onclick: (event) => {
    if (!open || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(level);
  } }, picture);
  const box = chosen && el("input", { type: "checkbox", checked: chosen.has(level.id), "aria-label": `Select ${nameOf(level)}`, onchange: () => chosen.set(level.id, box.checked) });
  return el("article", { class: "card level", dataset: { id: level.id } }, link,
    el("div", { class: "row spread" },
      el("div", { class: "row" }, box, el("strong", { title: nameOf(level) }, nameOf(level))), starButton(level, starred)),
    el("p", { class: "soft line" }, capital([level.tier, summary(level, wanted)].filter(Boolean).join(" · ") || level.size)));
}

/** Puts a card among others in the order of their numbers, whichever was told of first. */
export function insertCard(cards, card) {
  const later = [...cards.children].find((other) => Number(other.dataset.id) > Number(card.dataset.id));
  cards.insertBefore(card, later ?? null);
}
