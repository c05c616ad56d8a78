// What a player has done, kept in this browser alone: which levels are won, how well, and where each was left.

/** @typedef {{won?: boolean, best?: number, keys?: string}} Done */

/** Reads and keeps it under a name; where the browser keeps nothing, it lasts as long as the page. */
export class Progress {
  #name;
  #told;

  /** @param {string} name */
  constructor(name) {
    this.#name = `levelsmith ${name}`;
    try {
      this.#told = JSON.parse(localStorage.getItem(this.#name) ?? "null");
    } catch {
      this.#told = null; // a private window, or what somebody else has written
    }
    if (typeof this.#told?.levels !== "object") this.#told = { at: null, levels: {} };
  }

  /** The level that was played last, by its key. @returns {string | null} */
  get at() {
    return this.#told.at;
  }

  set at(key) {
    this.#told.at = key;
    this.#keep();
  }

  /** @param {string} key @returns {Done} */
  of(key) {
    return this.#told.levels[key] ?? {};
  }

  /** @param {string} key @param {Done} done */
  put(key, done) {
    this.#told.levels[key] = { ...this.of(key), ...done };
    this.#keep();
  }

  /** Forgets all of it. */
  forget() {
    this.#told = { at: null, levels: {} };
    this.#keep();
  }

  #keep() {
    try { localStorage.setItem(this.#name, JSON.stringify(this.#told)); } catch { /* then it lasts as long as the page */ }
  }
}
