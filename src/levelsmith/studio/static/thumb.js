// Small pictures of levels, drawn here from their text.
import { gameOf } from "./api.js";
import { shownTiles } from "./outside.js";
import { Sprites } from "./sprites.js";
import { el } from "./ui.js";

const SIDE = 220; // of a picture on a card, in CSS pixels
const loaded = new Map();

function spritesOf(game) {
  const key = `${game} ${document.documentElement.dataset.theme}`;
  if (!loaded.has(key)) loaded.set(key, Sprites.load(game));
  return loaded.get(key);
}

/** The names of a level's tiles, row by row; null beyond its walls. */
export function tilesOf(game, text) {
  const names = new Map();
  for (const tile of game.tiles) for (const symbol of tile.char + (tile.aliases ?? "")) names.set(symbol, tile.name);
  const rows = text.split("\n");
  const width = Math.max(...rows.map((row) => row.length));
  return shownTiles(game, rows.map((row) => [...row.padEnd(width)].map((symbol) => names.get(symbol) ?? game.tiles[0].name)));
}

async function draw(canvas) {
  const { game: name, text } = canvas.level;
  const [game, sprites] = await Promise.all([gameOf(name), spritesOf(name)]);
  const tiles = tilesOf(game, text);
  const side = Math.max(2, Math.floor((canvas.side * Math.min(2, devicePixelRatio)) / Math.max(tiles.length, tiles[0].length)));
  canvas.width = tiles[0].length * side;
  canvas.height = tiles.length * side;
  const context = canvas.getContext("2d");
  tiles.forEach((row, i) => row.forEach((tile, j) => tile && sprites.tile(context, tile, j * side, i * side, side)));
}

document.addEventListener("theme", () => {
  for (const canvas of document.querySelectorAll("canvas.thumb")) draw(canvas);
});

/** A picture of a level that fits its frame. */
export function thumb(level, label, side = SIDE) {
  const named = label ?? `${level.game} ${level.size}`; // "" beside a text that says it
  const canvas = el("canvas", { class: "thumb", ...(named ? { role: "img", "aria-label": named } : { "aria-hidden": "true" }), width: 16, height: 16 });
  Object.assign(canvas, { level, side });
  draw(canvas);
  return canvas;
}
