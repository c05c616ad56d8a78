// Gallery: all levels, sorted and filtered by what was measured about them.
import { catalogue, get, query } from "../api.js";
import { levelCard, removeLevels } from "../cards.js";
import { download, onDrop, upload } from "../gallery/files.js";
import { openLevel } from "../gallery/dialog.js";
import { plotCard } from "../gallery/plot.js";
import { button, debounce, el, field, fill, guarded, number, plural, select, words } from "../ui.js";

export const title = "Gallery";
const PAGE = 48;
const FORMATS = [["zip", "ZIP: all of them, with pictures"], ["xsb", ".xsb Sokoban"], ["json", ".json"], ["text", ".txt"], ["tmj", ".tmj Tiled"], ["ldtk", ".ldtk LDtk"], ["png", ".png picture"], ["svg", ".svg picture"], ["npz", ".npz NumPy"]];

export default async function page(root, parameters) {
  const [{ games }, counts] = await Promise.all([catalogue(), get("levels/counts")]);
  let filter = Object.fromEntries(parameters);
  let levels = [];
  let total = 0;
  const selected = new Set();
  const chosen = {
    has: (id) => selected.has(id),
    set(id, on) {
      if (on) selected.add(id);
      else selected.delete(id);
      showSelection();
    },
  };

  const grid = el("div", { class: "cards", "aria-live": "off" });
  const count = el("p", { class: "soft", role: "status" });
  const more = button("Show more", guarded(() => load(levels.length)), { hidden: true });
  const bar = el("div", { class: "row bar" });
  const ranges = el("div", { class: "stack tight" });
  const plot = plotCard({
    async open(spans, cell) {
      if (cell.count === 1) openLevel(await get(`levels/${cell.best}`), reload);
      else set({ ...filter, ...spans });
    },
  });
  const theGame = () => games.find((game) => game.name === filter.game);
  const asked = () => Object.keys(filter).filter((key) => /^(min|max)\./.test(key)).map((key) => key.slice(4)).concat((filter.sort ?? "").replace("-", ""));

  async function load(offset = 0) {
    const answer = await get(`levels${query({ ...filter, offset, limit: PAGE })}`);
    total = answer.total;
    levels = offset ? [...levels, ...answer.levels] : answer.levels;
    const cards = answer.levels.map((level) => levelCard(level, { wanted: asked(), chosen, open: (one) => openLevel(one, reload) }));
    if (offset) grid.append(...cards);
    else grid.replaceChildren(...cards);
    count.textContent = plural(total, "level");
    more.hidden = levels.length >= total;
    if (!total) {
      const other = Object.keys(filter).length > 0;
      grid.replaceChildren(el("p", { class: "card empty wide" }, other ? "No level fits this filter. " : "No levels yet. ",
        other ? button("Show all", () => set({})) : el("a", { href: "/generate" }, "Generate some"), other ? null : ", or drop level files here."));
    }
    showSelection();
  }

  const reload = guarded(() => load());

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
    const sorts = [["", "newest"], ["id", "oldest"], ["-score", "best score"], ["title", "title"], ...metrics.flatMap((name) => [[`-${name}`, `most ${words(name)}`], [name, `least ${words(name)}`]])];
    const starred = el("input", { type: "checkbox", checked: filter.starred === "1", onchange: () => set({ ...filter, starred: starred.checked && "1" }) });
    fill(bar,
      field("Game", select([["", "all games"], ...games.map((one) => [one.name, `${one.name} (${number(counts.games[one.name] ?? 0)})`])], filter.game ?? "", (name) => set({ game: name, starred: filter.starred, tag: filter.tag }))),
      field("Sort", select(sorts, filter.sort ?? "", (sort) => set({ ...filter, sort }))),
      counts.tags.length ? field("Tag", select([["", "any"], ...counts.tags], filter.tag ?? "", (tag) => set({ ...filter, tag }))) : null,
      metrics.length ? field("Filter", select([["", "by a metric…"], ...metrics.map((name) => [name, words(name)])], "", (name) => set({ ...filter, [`min.${name}`]: filter[`min.${name}`] ?? "0" }))) : null,
      el("label", { class: "check" }, starred, "starred only"));
    const names = [...new Set(Object.keys(filter).filter((key) => /^(min|max)\./.test(key)).map((key) => key.slice(4)))];
    ranges.replaceChildren(...names.map((name) => {
      const end = (kind) => {
        const control = el("input", { type: "number", step: "any", value: filter[`${kind}.${name}`] ?? "", placeholder: kind === "min" ? "least" : "most", "aria-label": `${kind === "min" ? "least" : "most"} ${words(name)}`, oninput: debounce(() => set({ ...filter, [`${kind}.${name}`]: control.value }), 400) });
        return control;
      };
      const drop = button("×", () => set({ ...filter, [`min.${name}`]: "", [`max.${name}`]: "" }), { class: "quiet icon", "aria-label": `Leave out ${words(name)}` });
      return el("div", { class: "range" }, el("span", {}, words(name)), end("min"), end("max"), drop);
    }));
    if (filter.job) ranges.append(el("div", { class: "row" }, el("span", { class: "badge" }, `of job ${filter.job}`), button("Show all", () => set({ ...filter, job: "" }))));
  }

  const format = select(FORMATS, "zip");
  format.setAttribute("aria-label", "Format to download");
  const picked = el("span", { class: "soft", role: "status" });
  const actions = {
    all: button("Select all", () => { levels.forEach((level) => selected.add(level.id)); redrawBoxes(); }),
    none: button("Select none", () => { selected.clear(); redrawBoxes(); }),
    download: button("Download", guarded(() => download([...selected], format.value)), { class: "primary" }),
    remove: button("Delete", guarded(async () => {
      const gone = levels.filter((level) => selected.has(level.id));
      selected.clear();
      await removeLevels(gone, reload);
    })),
  };

  function redrawBoxes() {
    for (const card of grid.querySelectorAll(".level")) card.querySelector("input").checked = selected.has(Number(card.dataset.id));
    showSelection();
  }

  function showSelection() {
    picked.textContent = selected.size ? `${number(selected.size)} selected` : "Select levels to download or delete";
    actions.download.disabled = actions.remove.disabled = actions.none.disabled = !selected.size;
    actions.all.disabled = !levels.length;
  }

  const take = guarded(async (files) => {
    if (await upload(files, filter.game)) {
      Object.assign(counts, await get("levels/counts"));
      drawFilters();
      await reload();
    }
  });
  const files = el("input", { type: "file", multiple: true, hidden: true, "aria-label": "Level files", onchange: () => { take([...files.files]); files.value = ""; } });
  onDrop(root, take);
  root.replaceChildren(
    el("div", { class: "row spread" }, el("div", { class: "head" }, el("h1", {}, "Gallery"), count),
      el("div", { class: "row" }, files, button("Upload files", () => files.click()), el("a", { class: "button primary", href: "/generate" }, "Generate"))),
    el("section", { class: "card", "aria-label": "Filter" }, bar, ranges),
    plot.element,
    el("div", { class: "row select-bar" }, picked, actions.all, actions.none, format, actions.download, actions.remove),
    grid, el("div", { class: "row centre" }, more));
  await set(filter);
}
