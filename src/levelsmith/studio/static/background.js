// Asks a Worker for what takes longer than a frame: `ask` gives its answer; meanwhile it tells how far it is, and it can
// be stopped. A Worker that nobody asks any more is ended, and its memory with it.
import { compiledPart, makeWorker, wasm } from "./api.js";
import { loaded } from "./kernels.js";

const IDLE = 5000; // milliseconds until a Worker without work is ended
const PATIENCE = 3000; // milliseconds that it may take to stop
const parts = new Map();
const waiting = new Map(); // by number: {done, failed, progress}
let worker = null;
let last = 0;
let idle = 0;

/** What a game's scripts take of the library, fetched once: {libraries, constants}. @param {string} name of the game,
 * or of what it makes levels by */
export function compiledOf(name) {
  if (!parts.has(name)) {
    parts.set(name, loaded(name, { kernels: compiledPart, wasm }).catch((error) => {
      parts.delete(name);
      throw error;
    }));
  }
  return parts.get(name);
}

/**
 * What a work of a game, one of games/works.js, comes back with.
 * @param {string} game @param {string} name @param {Object} asked
 * @param {{signal?: AbortSignal, progress?: function(number): void, parts?: string[]}} [options] `parts` that it takes of
 * the library, beside those of the game
 */
export async function ask(game, name, asked, { signal, progress, parts: more = [] } = {}) {
  const taken = await Promise.all([game, ...more].map(compiledOf));
  const [libraries, constants] = ["libraries", "constants"].map((of) => Object.assign({}, ...taken.map((one) => one[of])));
  const compiled = { libraries, constants };
  signal?.throwIfAborted();
  clearTimeout(idle);
  worker ??= begun();
  last += 1;
  const id = last;
  return new Promise((done, failed) => {
    waiting.set(id, { done, failed, progress });
    signal?.addEventListener("abort", () => {
      if (!waiting.has(id)) return;
      worker.postMessage({ id });
      setTimeout(() => waiting.has(id) && end("It was ended, as it did not stop."), PATIENCE);
      failed(signal.reason);
    });
    worker.postMessage({ id, game, name, compiled, asked });
  });
}

function begun() {
  const made = makeWorker();
  made.addEventListener("message", ({ data: { id, progress, answer, error } }) => {
    const { done, failed, progress: tell } = waiting.get(id);
    if (progress !== undefined) {
      tell?.(progress);
      return;
    }
    waiting.delete(id);
    if (!waiting.size) idle = setTimeout(() => end(""), IDLE);
    if (error === undefined) done(answer);
    else failed(new Error(error));
  });
  made.addEventListener("error", () => end("The browser ended what ran in the background; it may have too little memory."));
  return made;
}

/** Ends the Worker; whoever still waits is told why. */
function end(why) {
  worker.terminate();
  worker = null;
  for (const { failed } of waiting.values()) failed(new Error(why));
  waiting.clear();
}
