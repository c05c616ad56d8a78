// The JSON interface of the studio: plain calls, and the events of a job.

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function call(method, path, body, signal) {
  const options = { method, signal, headers: {} };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "The studio does not answer. Is levelsmith studio still running?");
  }
  const json = response.headers.get("Content-Type")?.startsWith("application/json");
  const data = json ? await response.json() : await response.blob();
  if (!response.ok) throw new ApiError(response.status, data.error ?? `The studio answered ${response.status}.`);
  return data;
}

export const get = (path, signal) => call("GET", path, undefined, signal);
export const post = (path, body = {}, signal) => call("POST", path, body, signal);
export const patch = (path, body) => call("PATCH", path, body);
export const remove = (path) => call("DELETE", path);

/** A query string of what is set: `query({game: "binary", tag: null})` is `?game=binary`. */
export function query(values) {
  const set = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return set.length ? `?${new URLSearchParams(set)}` : "";
}

const once = new Map();

/** What never changes while the studio runs, asked for once. */
export function constant(path) {
  if (!once.has(path)) {
    once.set(path, get(path).catch((error) => {
      once.delete(path);
      throw error;
    }));
  }
  return once.get(path);
}

export const catalogue = () => constant("catalogue");
export const sprites = (game, theme) => constant(`sprites/${encodeURIComponent(game)}?theme=${theme}`);

/** What the scripts of a game take of the library, and a library itself. */
export const compiledPart = (game) => constant(`kernels/${encodeURIComponent(game)}`);

export async function wasm(name) {
  const response = await fetch(`/static/kernels/${encodeURIComponent(name)}.wasm`);
  if (!response.ok) throw new ApiError(response.status, `The studio has no library ${name}.`);
  return response.arrayBuffer();
}

export const makeWorker = () => new Worker("/static/worker.js", { type: "module" });

export async function gameOf(name) {
  return (await catalogue()).games.find((game) => game.name === name);
}

/** Follows a job: `watch(id, {progress, level, state})`; returns what stops it. The browser reconnects by itself. */
export function watch(id, handlers) {
  const source = new EventSource(`/api/jobs/${encodeURIComponent(id)}/events`);
  for (const [name, handler] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
  }
  source.addEventListener("state", (event) => {
    if (["done", "failed", "cancelled", "interrupted"].includes(JSON.parse(event.data).state)) source.close();
  });
  return () => source.close();
}
