// What the studio's pages ask its server for, answered from what the page carries.
import { carried } from "./kernels.js";

export const known = JSON.parse(document.getElementById("levels").textContent);

export const { levels, makers } = known;
const source = carried(known.compiled);
export const compiledPart = source.kernels;
export const wasm = source.wasm;

export function makeWorker() {
  const script = new Blob([document.getElementById("worker").textContent], { type: "text/javascript" });
  return new Worker(URL.createObjectURL(script));
}

export async function gameOf(name) {
  return known.games.find((game) => game.name === name);
}

export async function sprites(game, theme) {
  return known.sprites[game][theme];
}

/** Questions about a level: the page knows the answers for its own. */
export async function post(path, { text }) {
  const level = levels.find((one) => one.text === text);
  if (path !== "check" || !level) throw new Error("This page answers for its own levels alone.");
  return { status: level.solution ? "solved" : "n/a", solution: level.solution, optimal: level.optimal ?? false };
}
