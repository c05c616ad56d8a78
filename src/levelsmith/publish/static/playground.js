// A playground: draw a level, and it is proved in the page; play it, have another made, send it as a link.
import { known } from "../api.js";
import { ask } from "../background.js";
import { Board, drawCross, drawWash, drawWay } from "../board.js";
import * as drawings from "../edit/drawing.js";
import { Pencil } from "../edit/pencil.js";
import { ABOUT } from "../games/about.js";
import { EDITS } from "../games/edits.js";
import { Stage } from "../play/stage.js";
import { swatch } from "../sprites.js";
import { holdsSource, openSources } from "./sources.js";
import { button, capital, compact, copy, debounce, el, field, fill, gameName, guarded, number, plural, problemLine, select, toast, typing } from "../ui.js";

const WAIT = 200; // milliseconds without a stroke
const SECONDS = 10; // for a proof
const SEEDS = 1e6; // that levels are made of here
const LONGEST = 20_000; // letters of a link
const WORDS = { solved: ["Can be won", "good"], unsolvable: ["Cannot be won", "bad"], unknown: ["Not decided in time", "warm"], "n/a": ["A map", "good"] };
const { games, makers, pack } = known;
const root = document.getElementById("page");

let game = games[0];
let history;
let tool = 1;
let marks = { stuck: [], apart: [], path: [] };
let proof = {}; // of the drawing as it stands
let asked = null;
let making = null;
let stage = null;
let leave = null; // the page of sources
const textNow = () => drawings.text(game.tiles, history.now);

const frame = el("div", { class: "board tall paint" });
const board = new Board(frame, {
  marks(context, side) {
    drawWash(context, side, marks.apart);
    drawWay(context, side, marks.path);
    drawCross(context, side, marks.stuck);
    pencil.mark(context, side);
  },
});
const pencil = new Pencil(board, {
  drawing: () => history.now,
  intent: (_, erase) => (erase ? 0 : tool),
  apply: (drawing, cells, tile) => drawings.paint(drawing, game.tiles, cells, tile),
  named: (at) => game.tiles[history.now.cells[at]].name,
  show,
  commit,
});
const badge = el("span", { class: "badge" }, "…");
const told = el("p", { class: "told", role: "status" });
const hard = el("p", { class: "soft" });
const problem = problemLine();
const palette = el("div", { class: "palette", role: "toolbar", "aria-label": "Tiles" });
const sizes = Object.fromEntries(["width", "height"].map((side) => [side, el("input", { type: "number", min: 3, max: 40, onchange: () => commit(drawings.resize(history.now, Number(sizes.width.value), Number(sizes.height.value))) })]));
const SOURCES = "a PuzzleScript source";
const offered = [...games.map(({ name }) => [name, gameName(name)]), ...(known.python ? [[SOURCES, "PuzzleScript: paste a source"]] : [])];
const chosen = select(offered, null, guarded((name) => (name === SOURCES ? sources() : dress(name)), problem));
const buttons = {
  undo: button("Undo", () => { history.undo(); changed(); }, { title: "Undo (Ctrl+Z)" }),
  redo: button("Redo", () => { history.redo(); changed(); }, { title: "Redo (Ctrl+Y)" }),
  clear: button("Begin anew", () => commit(fresh())),
};
const playIt = button("Play it", () => play(), { class: "primary" });
const another = button("Make another", guarded(makeAnother, problem), { title: "Make a level here, in the page" });
const link = button("Copy the link", () => copy(location.href, "The link is copied; it holds the level"));

/** The address that holds the level: nothing is kept anywhere else. */
function addressOf() {
  const bytes = new TextEncoder().encode(textNow());
  const letters = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `#${game.name}.${letters}`;
}

/** The level that an address holds: {name, text}, or null. */
function held(address) {
  const match = /^#([a-z]+)\.([\w-]+)$/.exec(address);
  if (!match || match[2].length > LONGEST || !games.some(({ name }) => name === match[1])) return null;
  try {
    const bytes = Uint8Array.from(atob(match[2].replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return { name: match[1], text: new TextDecoder().decode(bytes) };
  } catch {
    return null; // it was cut short
  }
}

function fresh() {
  const [width, height] = pack.sizes[game.name];
  return drawings.blank(game, width, height, EDITS[game.name]?.begins);
}

async function dress(name, text = null) {
  game = games.find((one) => one.name === name);
  chosen.value = name;
  history = new drawings.History(text === null ? drawings.read(game.tiles, ABOUT[name].SAMPLE.text) : drawings.read(game.tiles, text));
  tool = 1;
  pencil.lift();
  await Promise.all([board.dress(name), EDITS[name]?.ready?.()]);
  fillPalette();
  changed();
}

function fillPalette() {
  palette.replaceChildren(...game.tiles.map((tile, i) => {
    const key = button("", () => choose(i), { dataset: { tool: i }, title: `${tile.name} (${i + 1})` });
    key.append(swatch(board.sprites, tile.name), tile.name);
    return key;
  }));
  choose(tool);
}

function choose(i) {
  tool = i;
  for (const key of palette.children) key.setAttribute("aria-pressed", String(key.dataset.tool === String(i)));
}

function commit(drawing) {
  history.push(drawing);
  changed();
}

function show() {
  board.show(drawings.shown(game, pencil.now));
}

/** After a change: it is shown, written into the address, and proved once it rests. */
function changed() {
  marks = { stuck: [], apart: [], path: [] };
  asked?.abort();
  show();
  const { width, height } = history.now;
  [sizes.width.value, sizes.height.value] = [width, height];
  buttons.undo.disabled = !history.canUndo;
  buttons.redo.disabled = !history.canRedo;
  board.label = `${gameName(game.name)}, ${width} by ${height} cells; arrow keys move a cursor, the space bar paints`;
  another.hidden = !makers[game.name];
  window.history.replaceState(null, "", addressOf());
  badge.textContent = "Checking…";
  badge.className = "badge";
  hard.textContent = "";
  prove();
}

const prove = debounce(async () => {
  asked = new AbortController();
  const { signal } = asked;
  const [text, own] = [textNow(), EDITS[game.name]];
  try {
    const progress = (states) => { badge.textContent = `Checking… ${compact(states)}`; };
    proof = await own.prove(text, { signal, seconds: SECONDS, progress }, game);
    if (signal.aborted) return;
    const [word, kind] = proof.valid ? WORDS[proof.status] : ["Not a level yet", "bad"];
    [badge.textContent, badge.className] = [word, `badge ${kind}`];
    told.textContent = capital(proof.error ?? proof.why ?? proof.told ?? (proof.solution ? own.solved(proof) : ""));
    marks = { stuck: proof.stuck ?? [], apart: proof.apart ?? [], path: own.path?.(text) ?? [] };
    playIt.disabled = !proof.valid;
    board.redraw();
    if (!own.rate || !proof.solution || !proof.optimal) return;
    const { difficulty, tier } = await own.rate(text, proof, { signal });
    if (!signal.aborted) hard.textContent = `Difficulty ${number(Math.round(difficulty))} of 100: ${tier}.`;
  } catch (error) {
    if (error.name !== "AbortError") problem.tell(error.message);
  }
}, WAIT);

/** Plays the drawing in its place, with hints and its solution. */
async function play() {
  const { width, height } = history.now;
  const level = { game: game.name, text: textNow(), size: `${width}x${height}`, title: "", solution: proof.solution ?? null };
  asked?.abort();
  stage = new Stage([level], () => {});
  fill(root, el("section", { class: "stack", "aria-label": "The level" },
    el("div", { class: "row" }, button("Back to the drawing", back, { class: "primary" })), stage.element));
  scrollTo(0, 0);
  await stage.open(level);
}

function back() {
  stage?.close();
  stage = null;
  open();
  changed();
}

/** Makes a level in the background and puts it in the place of the drawing; asked once more, it stops. */
async function makeAnother() {
  if (making) {
    making.abort();
    return;
  }
  making = new AbortController();
  another.textContent = "Stop";
  try {
    const progress = (tries) => { told.textContent = `Making one … ${plural(tries, "candidate")}`; };
    const seed = Math.floor(Math.random() * SEEDS);
    const made = await ask(game.name, "make", { kind: game, maker: makers[game.name], seed }, { signal: making.signal, progress, parts: [`${game.name} make`] });
    commit(drawings.read(game.tiles, made.text));
    toast("Ctrl+Z brings back what was.");
  } finally {
    making = null;
    another.textContent = "Make another";
  }
}

addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  if (stage || leave) return;
  if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
    event.preventDefault();
    (key === "y" || event.shiftKey ? buttons.redo : buttons.undo).click();
  } else if (!typing(event) && /^[1-9]$/.test(key) && Number(key) <= game.tiles.length) choose(Number(key) - 1);
});
document.addEventListener("theme", guarded(async () => {
  if (leave) return;
  await board.dress(game.name);
  fillPalette();
}));
addEventListener("hashchange", guarded(() => {
  if (known.python && holdsSource(location.hash)) return sources();
  if (leave) return drawing();
  const level = held(location.hash);
  if (level && !stage) return dress(level.name, level.text);
  return undefined;
}));

/** Shows the page where sources are pasted in place of the one where levels are drawn. */
async function sources() {
  asked?.abort();
  leave?.();
  leave = () => {};
  leave = await openSources(root, button("Draw a level", guarded(drawing), { class: "primary" }));
}

async function drawing() {
  leave?.();
  leave = null;
  open();
  await begin(held(location.hash));
}

function open() {
  fill(root,
    el("div", { class: "row spread playground" }, el("h1", {}, pack.title), el("div", { class: "row" }, playIt, another, link)),
    problem,
    el("div", { class: "work" },
      el("div", { class: "stack" }, el("div", { class: "row tools", role: "toolbar", "aria-label": "Drawing" }, ...Object.values(buttons)), frame, palette),
      el("aside", { class: "stack", "aria-label": "The level" },
        el("section", { class: "card", "aria-live": "polite" }, el("div", { class: "row spread" }, el("h2", {}, "Proof"), badge), told, hard),
        el("section", { class: "card" }, el("h2", {}, "Canvas"), el("div", { class: "fields" }, field("Game", chosen), field("Width", sizes.width), field("Height", sizes.height))),
        el("p", { class: "soft" }, "Everything happens in this page. Nothing is sent anywhere: the link itself holds the level."))));
}

const begin = (level) => dress(level?.name ?? games[0].name, level?.text ?? null);

guarded(() => (known.python && holdsSource(location.hash) ? sources() : drawing()), problem)();
