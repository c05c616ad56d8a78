// Gallery: all levels, sorted and filtered by what was measured about them.
import { catalogue, get, query } from "../api.js";
import { levelCard, removeLevels } from "../cards.js";
import { download, FORMATS, takeDrops, upload } from "../gallery/files.js";
import { openLevel } from "../gallery/dialog.js";
import { plotCard } from "../gallery/plot.js";
import { addToPack } from "../packs.js";
import { button, debounce, el, empty, field, fill, gameName, guarded, number, plural, problemLine, select, words } from "../ui.js";

export const title = "Gallery";
const PAGE = 48;
const SORTS = [["", "newest"], ["title", "title"], ["difficulty", "easiest first"], ["-difficulty", "hardest first"], ["cells", "smallest first"], ["-cells", "largest first"]];

/** Other ways to sort: by when, by how well levels fit what was asked for, by any metric downwards and upwards. */
function moreSorts(metrics) {
  const others = metrics.filter((name) => name !== "difficulty");
  return [["id", "oldest"], ["-score", "best match"], ...others.flatMap((name) => [[`-${name}`, `most ${words(name)} first`], [name, `least ${words(name)} first`]])];
}

export default async function page(root, parameters) {
  const [{ games }, counts] = await Promise.all([catalogue(), get("levels/counts")]);
  let filter = Object.fromEntries(parameters);
  let levels = [];
  let total = 0;
  const selected = new Set();
  let last = null; // the level whose box was clicked last
  let shifted = false; // as it is clicked, which takes all from the last one to this one
  const chosen = {
    has: (id) => selected.has(id),
    set(id, on) {
      const ids = levels.map((level) => level.id);
      const [from, to] = [shifted && ids.includes(last) ? ids.indexOf(last) : ids.indexOf(id), ids.indexOf(id)];
      for (const one of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) {
        if (on) selected.add(one);
        else selected.delete(one);
      }
      last = id;
      redrawBoxes();
    },
  };

  const grid = el("div", { class: "cards", "aria-live": "off" });
  grid.addEventListener("click", (event) => { shifted = event.shiftKey; }, { capture: true });
  const count = el("p", { class: "soft", role: "status" });
  const more = button("Show more", guarded(() => load(levels.length)), { hidden: true });
  const bar = el("div", { class: "row bar" });
  const ranges = el("div", { class: "stack tight" });
  const research = el("div", { class: "row bar" });
  const plot = plotCard({
    async open(spans, cell) {
      if (cell.count === 1) openLevel(await get(`levels/${cell.best}`), refresh, list());
      else set({ ...filter, ...spans });
    },
  });
  /** The list as it is shown, for Play to go through. */
  const list = () => ({ ...filter, sort: filter.sort ?? "-id" });
  const theGame = () => games.find((game) => game.name === filter.game);
  const asked = () => Object.keys(filter).filter((key) => /^(min|max)\./.test(key)).map((key) => key.slice(4)).concat((filter.sort ?? "").replace("-", ""));

  let asking = 0;
  async function load(offset = 0) {
    const mine = ++asking;
    const answer = await get(`levels${query({ ...filter, offset, limit: PAGE })}`);
    if (mine !== asking) return; // another list has been asked for since
    total = answer.total;
    levels = offset ? [...levels, ...answer.levels] : answer.levels;
    const cards = answer.levels.map((level) => levelCard(level, { wanted: asked(), chosen, list: list(), open: (one) => openLevel(one, refresh, list()) }));
    if (offset) grid.append(...cards);
    else grid.replaceChildren(...cards);
    count.textContent = plural(total, "level");
    more.hidden = levels.length >= total;
    if (!total) {
      const other = Object.keys(filter).some((key) => key !== "sort");
      grid.replaceChildren(other
        ? empty("No level fits this filter.", button("Show all", () => set({})))
        : empty("No levels yet: generate some, draw one, or drop level files anywhere on this page.",
          el("a", { class: "button primary", href: "/generate" }, "Generate"), el("a", { class: "button", href: "/edit" }, "Draw one")));
    }
    showSelection();
  }

  const reload = guarded(() => load());

  /** After a level has changed: counts and tags may have, too. */
  const refresh = guarded(async () => {
    Object.assign(counts, await get("levels/counts"));
    drawFilters();
    await load();
  });

  /** Another filter, in the address too. */
  function set(next) {
    filter = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "" && value !== undefined && value !== false));
    history.replaceState(null, "", `/gallery${query(filter)}`);
    drawFilters();
    plot.show(theGame(), Object.fromEntries(Object.entries(filter).filter(([key]) => key !== "sort" && key !== "game")));
    return reload();
  }

  function drawFilters() {
    const game = theGame();
    const metrics = game ? game.metrics.map((one) => one.name) : [];
    const others = moreSorts(metrics);
    const chosenOther = others.find(([key]) => key === filter.sort);
    const sorts = [...SORTS.filter(([key]) => !metrics.length || !key.includes("difficulty") || metrics.includes("difficulty")), ...(chosenOther ? [chosenOther] : [])];
    const starred = el("input", { type: "checkbox", checked: filter.starred === "1", onchange: () => set({ ...filter, starred: starred.checked && "1" }) });
    fill(bar,
      field("Game", select([["", "all games"], ...games.map((one) => [one.name, `${gameName(one.name)} (${number(counts.games[one.name] ?? 0)})`])], filter.game ?? "", (name) => set({ game: name, starred: filter.starred, tag: filter.tag }))),
      field("Sort", select(sorts, filter.sort ?? "", (sort) => set({ ...filter, sort }))),
      counts.tags.length ? field("Tag", select([["", "any"], ...counts.tags], filter.tag ?? "", (tag) => set({ ...filter, tag }))) : null,
      el("label", { class: "check" }, starred, "starred only"));
    fill(research,
      field("Order by any measure", select([["", "as above"], ...others], chosenOther?.[0] ?? "", (sort) => set({ ...filter, sort }))),
      metrics.length ? field("Filter", select([["", "by a metric…"], ...metrics.map((name) => [name, words(name)])], "", (name) => set({ ...filter, [`min.${name}`]: filter[`min.${name}`] ?? "0" }))) : el("p", { class: "soft" }, "Choose a game to sort and filter by what is measured of its levels."));
    const names = [...new Set(Object.keys(filter).filter((key) => /^(min|max)\./.test(key)).map((key) => key.slice(4)))];
    ranges.replaceChildren(...names.map((name) => {
      const end = (kind) => {
        const control = el("input", { type: "number", step: "any", value: filter[`${kind}.${name}`] ?? "", placeholder: kind === "min" ? "from" : "to", "aria-label": `${kind === "min" ? "least" : "most"} ${words(name)}`, oninput: debounce(() => set({ ...filter, [`${kind}.${name}`]: control.value }), 400) });
        return control;
      };
      const drop = button("×", () => set({ ...filter, [`min.${name}`]: "", [`max.${name}`]: "" }), { class: "quiet icon", "aria-label": `Leave out ${words(name)}` });
      return el("div", { class: "range" }, el("span", {}, words(name)), end("min"), end("max"), drop);
    }));
    if (filter.job) ranges.append(el("div", { class: "row" }, el("span", { class: "badge" }, `of search ${filter.job}`), button("Show all", () => set({ ...filter, job: "" }))));
  }

  const format = select(FORMATS, "zip");
  format.setAttribute("aria-label", "Format to download");
  const problem = problemLine();
  const picked = el("span", { class: "soft", role: "status" });
  const actions = {
    all: button("Select all", () => { levels.forEach((level) => selected.add(level.id)); redrawBoxes(); }),
    none: button("Select none", () => { selected.clear(); redrawBoxes(); }),
    download: button("Download", guarded(() => download([...selected], format.value), problem), { class: "primary" }),
    pack: button("Put into the pack", () => {
      addToPack([...selected]);
      location.assign("/pack");
    }, { title: "Put them in order, give them titles, and publish them as a page" }),
    remove: button("Delete", guarded(async () => {
      const gone = levels.filter((level) => selected.has(level.id));
      selected.clear();
      await removeLevels(gone, refresh);
    })),
  };

  function redrawBoxes() {
    for (const card of grid.querySelectorAll(".level")) card.querySelector("input").checked = selected.has(Number(card.dataset.id));
    showSelection();
  }

  function showSelection() {
    picked.textContent = selected.size ? `${number(selected.size)} selected` : "Select levels to download, publish or delete";
    actions.download.disabled = actions.pack.disabled = actions.remove.disabled = actions.none.disabled = !selected.size;
    actions.all.disabled = !levels.length;
  }

  const take = guarded(async (files) => {
    const added = await upload(files, filter.game);
    if (!added.length) return;
    if (filter.game && added.every((level) => level.game !== filter.game)) await set({ game: added[0].game });
    await refresh();
  });
  const files = el("input", { type: "file", multiple: true, hidden: true, "aria-label": "Level files", onchange: () => { take([...files.files]); files.value = ""; } });
  takeDrops(take);
  root.replaceChildren(
    el("div", { class: "row spread" }, el("div", { class: "head" }, el("h1", {}, "Gallery"), count),
      el("div", { class: "row" }, files, button("Upload files", () => files.click()), el("a", { class: "button primary", href: "/generate" }, "Generate"))),
    el("section", { class: "card", "aria-label": "Filter" }, bar, ranges, el("details", {}, el("summary", {}, "For researchers"), research)),
    plot.element,
    el("div", { class: "row select-bar" }, picked, actions.all, actions.none, format, actions.download, actions.pack, actions.remove, problem),
    grid, el("div", { class: "row centre" }, more));
  showSelection();
  await set(filter);
}
