// Reads PuzzleScript sources in the page, by the library's own Python: it lies in a script beside the page, and is loaded
// once somebody opens a source.
import { known } from "../api.js";

/** @typedef {{worker: string, parts: Object, compiled: Object, scripts: Object<string, string>}} Carried */

let loading = null; // Carried
let begun = null; // the Worker
let last = 0;
const waiting = new Map(); // by number: {done, failed}

/** What the script beside the page brings; it is loaded once. @returns {Promise<Carried>} */
export function carried() {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = known.python;
    script.onload = () => {
      Object.assign(known.compiled, globalThis.carriedPython.compiled);
      done(globalThis.carriedPython);
    };
    script.onerror = () => {
      loading = null;
      script.remove();
      failed(new Error(`The file ${known.python} is missing beside this page: PuzzleScript is read by it.`));
    };
    document.head.append(script);
  });
  return loading;
}

/** What a source holds: {faults, game}. @param {string} text @returns {Promise<Object>} */
export async function read(text) {
  begun ??= begin().catch((error) => {
    begun = null;
    throw error;
  });
  return asked(await begun, { text });
}

async function begin() {
  const { worker: source, parts } = await carried();
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  worker.addEventListener("message", ({ data: { id, answer, error } }) => {
    const { done, failed } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) done(answer);
    else failed(new Error(error));
  });
  worker.addEventListener("error", () => {
    for (const { failed } of waiting.values()) failed(new Error("The browser ended Python; it may have too little memory."));
    waiting.clear();
    begun = null;
  });
  await asked(worker, { parts });
  return worker;
}

function asked(worker, what) {
  last += 1;
  const id = last;
  return new Promise((done, failed) => {
    waiting.set(id, { done, failed });
    worker.postMessage({ id, ...what });
  });
}
