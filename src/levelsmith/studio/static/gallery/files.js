// Levels out of the studio and into it.
import { ApiError } from "../api.js";
import { isScript, keepScript } from "../scripts.js";
import { gameName, plural, toast } from "../ui.js";
import { askTiles } from "./tiles.js";

export const FORMATS = [["zip", "ZIP: all of them, with pictures"], ["xsb", ".xsb Sokoban"], ["json", ".json"], ["text", ".txt"], ["tmj", ".tmj Tiled"], ["tmx", ".tmx Tiled"], ["ldtk", ".ldtk LDtk"], ["godot", ".tscn Godot 4"], ["png", ".png picture"], ["svg", ".svg picture"], ["gif", ".gif film of the solution"], ["npz", ".npz NumPy"]];

/** Levels as a file of the browser's downloads. */
export async function download(ids, format) {
  const response = await fetch("/api/download", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ids, format }),
  });
  if (!response.ok) throw new ApiError(response.status, (await response.json()).error);
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? `levels.${format}`;
  saved(await response.blob(), name);
}

/** Hands a file to the browser's downloads. */
export function saved(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** What the studio answers to a file: its levels, or an error, with the tiles that it asks about. */
async function sent(file, game, tiles = []) {
  const where = new URLSearchParams([["name", file.name], ...(game ? [["game", game]] : []), ...tiles.map((tile) => ["tile", tile])]);
  const response = await fetch(`/api/upload?${where}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
  return response.json();
}

/** Uploads files one after the other; what one of them lacks is told. The levels that were added. */
export async function upload(files, game) {
  const added = [];
  for (const file of files) {
    const text = /\.(txt|puzzlescript)$/i.test(file.name) ? await file.text() : "";
    if (isScript(text)) { // a game, which has a page of its own
      keepScript(text);
      location.assign("/script");
      return added;
    }
    let answer = await sent(file, game);
    const told = answer.tiles ? await askTiles(file.name, answer) : null;
    if (told) answer = await sent(file, answer.game, told);
    if (answer.levels) added.push(...answer.levels);
    else toast(answer.error, null, 12);
  }
  const kinds = [...new Set(added.map((level) => gameName(level.game)))].join(", ");
  if (added.length) toast(`${plural(added.length, "level")} added (${kinds}).`, location.pathname === "/gallery" ? null : { label: "Show", run: () => location.assign("/gallery") });
  return added;
}

let taken = (files) => upload(files); // what becomes of files that are dropped on this page

/** A page of its own mind about dropped files. */
export function takeDrops(take) {
  taken = take;
}

/** Drag and drop anywhere on a page. */
export function onDrop(root) {
  let depth = 0;
  const over = (on) => root.classList.toggle("dropping", on);
  addEventListener("dragenter", (event) => { event.preventDefault(); depth += 1; over(true); });
  addEventListener("dragleave", () => { depth -= 1; over(depth > 0); });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    over(false);
    if (event.dataTransfer.files.length) taken([...event.dataTransfer.files]);
  });
}
