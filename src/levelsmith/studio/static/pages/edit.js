// Edit: paint a level, lock what shall stay, and let a search do the rest.
import { catalogue, get, post, query } from "../api.js";
import { Board, drawCross, drawHatch, drawWash, drawWay } from "../board.js";
import * as drawings from "../edit/drawing.js";
import { GalleryHome, ScriptHome } from "../edit/homes.js";
import { Pencil } from "../edit/pencil.js";
import { searchCard } from "../edit/search.js";
import { verdictCard } from "../edit/verdict.js";
import { beforeReplacing } from "../edit/warning.js";
import { takeDrops, upload } from "../gallery/files.js";
import { EDITS } from "../games/edits.js";
import { keptScript } from "../scripts.js";
import { Sprites, swatch } from "../sprites.js";
import { button, debounce, el, field, gameName, guarded, problemLine, select, toast, typing } from "../ui.js";

export const title = "Edit";
const LOCK = "lock";
const BLANK = Array(7).fill(".".repeat(9)).join("\n"); // where a game has no level whose size to take
const LIVE = 1024; // cells of a map whose path is drawn anew during a stroke
const CHANGES = ["improve", "easier"];
const named = (title) => ({ title, "aria-label": title });

export default async function page(root, parameters) {
  const { games } = await catalogue();
  let game;
  let history;
  let tool = 0; // a tile, or LOCK
  let path = [];
  let stuck = []; // cells that are the reason that it cannot be won
  let elsewhere = []; // cells that lie apart from the others
  let symmetry = "";
  let home = new GalleryHome(); // where Save writes to

  const frame = el("div", { class: "board tall paint" });
  const board = new Board(frame, { marks });
  board.canvas.setAttribute("role", "application");
  const palette = el("div", { class: "palette", role: "group", "aria-label": "Tiles" });
  const verdict = verdictCard((cells, apart) => {
    [stuck, elsewhere] = [cells, apart];
    board.redraw();
  });
  const pencil = new Pencil(board, {
    drawing: () => history.now,
    named: (at) => `${game.tiles[history.now.cells[at]].name}${history.now.locked[at] ? ", locked" : ""}`,
    intent,
    apply,
    show,
    commit,
  });
  const textNow = () => drawings.text(game.tiles, history.now);
  const search = searchCard({ current: () => ({ game, drawing: history.now, text: textNow(), asks: home.asks }), accept });
  const cards = Object.entries(EDITS).flatMap(([of, { card }]) => (card ? [[of, card({ game: () => game, accept })]] : []));

  function marks(context, side) {
    drawWash(context, side, elsewhere);
    drawWay(context, side, path);
    drawCross(context, side, stuck);
    drawHatch(context, side, drawings.lockedCells(pencil.now));
    pencil.mark(context, side);
  }

  function show() {
    const { cells } = pencil.now;
    const quick = !pencil.isDown || cells.length <= LIVE;
    path = (quick && EDITS[game.name]?.path?.(drawings.text(game.tiles, pencil.now))) || [];
    board.show(drawings.shown(game, pencil.now));
  }

  const remember = debounce(() => {
    const lock = drawings.runs(history.now, history.now.locked).join(" ");
    window.history.replaceState(null, "", `/edit${query({ ...home.address(game), text: textNow(), title: name.value, lock })}`);
  }, 400);

  const isSaved = () => home.saved !== null && home.saved.text === textNow() && home.saved.title === name.value;

  /** Whether it is kept as it is here, and where it is played. */
  function showSaved() {
    state.textContent = isSaved() ? `Saved as ${home.name}` : home.isThere ? "Changed, not saved" : "Not saved yet";
    copy.hidden = !home.isThere;
    playLink.href = home.playedAt(game, { text: textNow(), title: name.value }, isSaved());
  }

  /** After a change that is done: shown, checked, and in the address. */
  function changed() {
    const { width, height } = history.now;
    show();
    buttons.undo.disabled = !history.canUndo;
    buttons.redo.disabled = !history.canRedo;
    sizes.width.value = width;
    sizes.height.value = height;
    showSaved();
    board.label = `A ${game.title || gameName(game.name)} level of ${width} by ${height} cells; arrow keys move, space paints`;
    verdict.check(game, textNow(), home.asks, home.kind);
    remember();
  }

  function commit(drawing) {
    history.push(drawing);
    changed();
  }

  /** Takes over a level from elsewhere, with the locks where they are. */
  function accept(text) {
    const drawing = drawings.read(game.tiles, text);
    const { width, height, locked } = history.now;
    const alike = drawing.width === width && drawing.height === height;
    commit(alike ? { ...drawing, locked } : drawing);
  }

  function apply(drawing, places, on) {
    const cells = drawings.symmetric(drawing, places, symmetry);
    return tool === LOCK ? drawings.lock(drawing, cells, on) : drawings.paint(drawing, game.tiles, cells, on);
  }

  /** What a stroke that begins here does: the tile it paints, or whether it locks. */
  function intent([row, col], erase) {
    if (tool === LOCK) return !history.now.locked[row * history.now.width + col];
    return erase ? 0 : tool;
  }

  function choose(chosen) {
    tool = chosen;
    for (const key of palette.children) key.setAttribute("aria-pressed", String(key.dataset.tool === String(tool)));
  }

  function fillPalette() {
    const keys = game.tiles.map((tile, i) => {
      const key = button("", () => choose(i), { dataset: { tool: i }, title: `${tile.name} (${i + 1})` });
      key.append(swatch(board.sprites, tile.name), tile.name);
      return key;
    });
    const sign = el("span", { class: "hatch", "aria-hidden": "true" });
    const key = button("", () => choose(LOCK), { dataset: { tool: LOCK }, title: "lock and unlock (l)" });
    key.append(sign, "lock");
    palette.replaceChildren(...keys, key);
    palette.classList.toggle("long", Boolean(home.asks.script)); // an author's names are longer than ours
    choose(tool);
  }

  const undo = () => { history.undo(); changed(); };
  const redo = () => { history.redo(); changed(); };
  const resize = () => commit(drawings.resize(history.now, Number(sizes.width.value), Number(sizes.height.value)));
  const buttons = {
    undo: button("Undo", undo, { title: "Undo (Ctrl+Z)" }),
    redo: button("Redo", redo, { title: "Redo (Ctrl+Y)" }),
    across: button("Mirror ↔", () => commit(drawings.mirror(history.now, false)), named("Mirror left and right")),
    down: button("Mirror ↕", () => commit(drawings.mirror(history.now, true)), named("Mirror up and down")),
    unlock: button("Unlock all", () => commit({ ...history.now, locked: history.now.locked.map(() => false) })),
  };
  const sizes = {
    width: el("input", { type: "number", min: 2, max: 256, onchange: resize }),
    height: el("input", { type: "number", min: 2, max: 256, onchange: resize }),
  };
  const games_ = select(games.map((one) => [one.name, gameName(one.name)]), null, guarded((wanted) => {
    [home, name.value] = [new GalleryHome(), ""];
    return dress(known(wanted));
  }));
  const chosen = field("Game", games_);
  const symmetries = select([["", "none"], ["lr", "left and right"], ["ud", "up and down"], ["both", "both"]], "", (kind) => { symmetry = kind; });
  const name = el("input", { maxlength: 100, placeholder: "Untitled", "aria-label": "Title", oninput: () => { showSaved(); remember(); } });
  const problem = problemLine();
  const state = el("span", { class: "soft", role: "status" });

  /** Writes the drawing over the level that was opened or saved before, or makes one of it; whether it did. */
  const keep = async (copied) => {
    const choice = copied || !home.isThere ? "copy" : await beforeReplacing(home.name, game, home.saved.text, textNow(), home.asks);
    if (!choice) return false;
    const asCopy = home.isThere && choice === "copy";
    const told = await home.save(game, { text: textNow(), title: name.value.trim() }, asCopy);
    name.value = home.saved.title;
    showSaved();
    remember();
    toast(told, { label: "Play it", run: () => location.assign(playLink.href) });
    return true;
  };
  const save = button("Save", guarded(() => keep(false), problem), { class: "primary", title: "Save (Ctrl+S)" });
  const copy = button("Save as a copy", guarded(() => keep(true), problem));
  const playLink = el("a", { class: "button" }, "Play it");
  playLink.addEventListener("click", guarded(async (event) => {
    if (!home.asks.script || isSaved()) return;
    event.preventDefault(); // it is played among the other levels of its game
    if (await keep(false)) location.assign(playLink.href);
  }, problem));

  /** A pasted text as the studio reads it; in a game in one text it is a level of that. */
  const read = async (text) => (home.asks.script
    ? { level: { ...await post("check", { game: game.name, text, solve: false, ...home.asks }), game: game.name }, levels: 1 }
    : post("read", { text, game: game.name }));

  /** A level from the clipboard, in place of the drawing; of another game it is a level of its own. */
  const paste = guarded(async (text) => {
    const { level, levels } = await read(text);
    if (level.game === game.name) {
      commit(drawings.read(game.tiles, level.text));
    } else {
      home = new GalleryHome();
      await dress(known(level.game), (of) => drawings.read(of.tiles, level.text));
    }
    if (level.title) name.value = level.title;
    changed();
    toast(levels > 1 ? `The first of ${levels} levels is here; Ctrl+Z brings back what was.` : "Pasted; Ctrl+Z brings back what was.");
  }, problem);
  addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData.getData("text/plain");
    if (text.trim()) paste(text);
  });
  takeDrops(guarded(async (files) => {
    const added = await upload(files);
    if (added.length) location.assign(`/edit${query({ level: added[0].id })}`);
  }, problem));

  addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y") && !event.target.closest("input, textarea")) {
      event.preventDefault();
      if (key === "y" || event.shiftKey) redo();
      else undo();
    } else if ((event.ctrlKey || event.metaKey) && key === "s") {
      event.preventDefault();
      save.click();
    } else if (!typing(event)) {
      if (/^[1-9]$/.test(key) && Number(key) <= game.tiles.length) choose(Number(key) - 1);
      else if (key === "l") choose(LOCK);
    }
  });
  document.addEventListener("theme", () => board.dress(game.name).then(fillPalette));

  const known = (wanted) => games.find((one) => one.name === wanted) ?? games[0];

  /** Another game, with a drawing that was given or a fresh one. */
  async function dress(wanted, drawing) {
    game = wanted;
    chosen.hidden = Boolean(home.asks.script);
    games_.value = game.name;
    tool = Math.min(1, game.tiles.length - 1);
    path = [];
    pencil.lift();
    const border = 2 * game.border;
    const [width, height] = game.sizes.default.split("x").map(Number);
    history = new drawings.History(drawing?.(game) ?? drawings.blank(game, width + border, height + border, EDITS[game.name]?.begins));
    for (const [of, card] of cards) card.hidden = game.name !== of;
    await Promise.all([board.dress(game.name), EDITS[game.name]?.ready?.()]);
    fillPalette();
    changed();
    await search.dress(game);
  }

  root.replaceChildren(
    el("div", { class: "row spread" }, el("div", { class: "row grow" }, el("h1", {}, "Edit"), name), el("div", { class: "row" }, state, playLink, copy, save)),
    problem,
    el("div", { class: "work" },
      el("div", { class: "stack" },
        el("div", { class: "row tools", role: "toolbar", "aria-label": "Drawing" }, ...Object.values(buttons)),
        frame,
        palette),
      el("aside", { class: "stack", "aria-label": "Level" },
        search.element,
        verdict.element,
        el("section", { class: "card" }, el("h2", {}, "Canvas"), el("div", { class: "fields" },
          chosen, field("Width", sizes.width), field("Height", sizes.height), field("Paint mirrored", symmetries))),
        ...cards.map(([, card]) => card))));

  const { of, kept } = await (parameters.has("script") ? ofScript() : ofGallery());
  const level = { ...kept, ...Object.fromEntries(parameters) }; // what was drawn since, in the address, goes before
  name.value = level.title ?? "";
  await dress(of ?? known(level.game ?? "sokoban"), level.text && ((given) =>
    drawings.withLocks(drawings.read(given.tiles, level.text), (parameters.get("lock") ?? "").split(" "))));

  const change = parameters.get("change"); // that was asked for with the level
  if (CHANGES.includes(change)) search.start(change);
  else if (change === "mirror") buttons.across.click();

  async function ofGallery() {
    const asked = parameters.get("level");
    const found = asked ? await get(`levels/${encodeURIComponent(asked)}`) : null;
    home = new GalleryHome(found);
    return { kept: found };
  }

  /** A level of the game in one text that this tab has, or a new one with the size and the edge of the first. */
  async function ofScript() {
    const source = keptScript();
    if (!source.trim()) throw new Error("This tab has no PuzzleScript game; open one on the page PuzzleScript.");
    const { game: one, sprites, levels } = await post("script/game", { text: source });
    Sprites.lend(one.name, sprites);
    const number = /^\d{1,6}$/.test(parameters.get("script")) ? Number(parameters.get("script")) : null;
    if (number !== null && !levels[number]) throw new Error(`The game has no level ${number + 1} any more.`);
    home = new ScriptHome(source, number, levels);
    document.querySelector('nav a[href="/script"]')?.setAttribute("aria-current", "page");
    document.querySelector('nav a[href="/edit"]')?.removeAttribute("aria-current");
    const fresh = () => drawings.text(one.tiles, drawings.emptied(drawings.read(one.tiles, levels[0]?.text ?? BLANK)));
    return { of: one, kept: levels[number] ?? { text: fresh(), title: "" } };
  }
}
