// One level, close up: all that is known of it, its tags, and the levels most like it.
import { gameOf, get, patch, query } from "../api.js";
import { levelCard, nameOf, removeLevels, starButton } from "../cards.js";
import { thumb } from "../thumb.js";
import { button, copy, el, field, gameName, guarded, number, problemLine, select, words } from "../ui.js";
import { makerName } from "../wording.js";
import { download, FORMATS } from "./files.js";

const CHANGES = [["improve", "Make it harder"], ["easier", "Make it easier"], ["mirror", "Mirror it"]];
const MORE = 2; // cells along each side that a larger level has more
const ALIKE = 5; // of difficulty

/** @param changed is called when the level is another one from now on; `list` is the query of the list it stands in. */
export function openLevel(level, changed, list = {}) {
  const dialog = el("dialog", { class: "wide", "aria-label": nameOf(level), onclose: () => dialog.remove() });
  const close = () => dialog.close();
  const save = (values) => guarded(async () => {
    Object.assign(level, await patch(`levels/${level.id}`, values()));
    heading.textContent = nameOf(level);
    changed();
  });
  const heading = el("h2", {}, nameOf(level));
  const named = el("input", { value: level.title, maxlength: 200, onchange: save(() => ({ title: named.value })) });
  const tagged = el("input", { value: level.tags.join(", "), placeholder: "easy, tutorial", onchange: save(() => ({ tags: tagged.value.split(",") })) });
  const metrics = Object.entries(level.metrics).flatMap(([name, value]) => [el("dt", {}, words(name)), el("dd", {}, number(value))]);
  const likes = el("div", { class: "cards small" });
  const similar = button("Similar levels", guarded(async () => {
    const { levels } = await get(`levels/${level.id}/similar`);
    likes.replaceChildren(...(levels.length ? levels.map((like) => {
      const card = levelCard(like, { open: (other) => { close(); openLevel(other, changed, list); } });
      card.append(el("p", { class: "soft" }, `${Math.round(like.similarity * 100)} % of the cells alike`));
      return card;
    }) : [el("p", { class: "soft" }, "There are no others of this game and size.")]));
  }));
  const origin = level.provenance.search
    ? `made by ${makerName(level.provenance.search)}${level.provenance.representation ? ` on ${level.provenance.representation}` : ""}, seed ${level.provenance.seed}${level.provenance.run ? `, run ${level.provenance.run}` : ""}`
    : level.provenance.made ? "edited" : "uploaded";
  const format = select(FORMATS.filter(([name]) => name !== "xsb" || level.game === "sokoban"), "zip");
  format.setAttribute("aria-label", "Format to download");
  const problem = problemLine();
  dialog.append(
    el("div", { class: "row spread" }, heading, el("div", { class: "row" }, starButton(level, changed), button("×", close, { class: "quiet icon", "aria-label": "Close" }))),
    el("div", { class: "closeup" },
      thumb(level, `${nameOf(level)}, ${level.size}`, 480),
      el("div", { class: "stack tight" },
        el("p", { class: "row" }, el("span", { class: `badge ${level.solution ? "good" : ""}` }, level.solution ? "Solution known" : "No solution known"),
          level.tier ? el("span", { class: "badge" }, level.tier) : null),
        el("p", { class: "soft" }, `${gameName(level.game)} ${level.size}, ${origin}`),
        el("div", { class: "row" },
          el("a", { class: "button primary", href: `/play${query({ ...list, level: level.id })}` }, "Play"),
          el("a", { class: "button", href: `/edit${query({ level: level.id })}` }, "Edit"),
          ...CHANGES.map(([change, name]) => el("a", { class: "button", href: `/edit${query({ level: level.id, change })}` }, name)),
          button("Make larger ones like it", guarded(async () => location.assign(`/generate?${new URLSearchParams(await larger(level))}`))),
          button("Copy the level as text", () => copy(level.text, "The level is copied")),
          button("Delete", guarded(async () => { close(); await removeLevels([level], changed); }))),
        el("div", { class: "row" }, format, button("Download", guarded(() => download([level.id], format.value), problem))), problem,
        el("div", { class: "fields" }, field("Title", named, null, "wide"), field("Tags", tagged, null, "wide")),
        el("details", { open: true }, el("summary", {}, "Metrics"), el("dl", { class: "metrics" }, ...metrics)),
        similar)),
    likes);
  document.body.append(dialog);
  dialog.showModal();
}

/** The setting, as an address has it, of levels that are larger than one and about as hard. */
async function larger({ game, size, metrics: { difficulty } }) {
  const { border } = await gameOf(game);
  const sides = size.split("x").map((side) => Number(side) - 2 * border + MORE);
  const hard = difficulty === undefined ? [] : [Math.max(0, Math.round(difficulty - ALIKE)), Math.min(100, Math.round(difficulty + ALIKE))];
  return { game, size: sides.join("x"), count: 3, ...(hard.length && { "want.difficulty": hard.join("..") }) };
}
