// Begins Python in a Worker, and reads sources by it. The page gives what it takes; nothing is fetched.
const bytes = async (text) => {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};
const load = async (text) => import(URL.createObjectURL(new Blob([await bytes(text)], { type: "text/javascript" })));
let read;

async function begin({ module, wasm, loader, library, sources, lock }) {
  const files = { "pyodide.asm.wasm": await bytes(wasm), "python_stdlib.zip": await bytes(library) };
  globalThis.fetch = async (address) => new Response(files[String(address).split("/").at(-1)], { headers: { "content-type": "application/wasm" } });
  globalThis.importScripts = undefined; // Pyodide takes Workers for modules by it; from a file there are no others
  const [{ default: createPyodideModule }, { loadPyodide }] = await Promise.all([load(module), load(loader)]);
  const python = await loadPyodide({ indexURL: "https://levelsmith.invalid/", createPyodideModule, lockFileContents: lock });
  python.unpackArchive(await bytes(sources), "zip", { extractDir: "/sources" });
  read = python.runPython(`
import sys
sys.path.insert(0, "/sources")
import json
from levelsmith.games.puzzlescript.plain import explained
lambda text: json.dumps(explained(text))
`);
}

addEventListener("message", async ({ data: { id, parts, text } }) => {
  try {
    if (parts) await begin(parts);
    postMessage({ id, answer: parts ? null : JSON.parse(read(text)) });
  } catch (error) {
    postMessage({ id, error: error.message.trim().split("\n").at(-1) });
  }
});
