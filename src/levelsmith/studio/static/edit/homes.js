// Where the level that is drawn is kept: in the gallery, or in a game in one text.
import { patch, post, query } from "../api.js";
import { keepScript } from "../scripts.js";

/** A level of the gallery; without a level it is not there yet. */
export class GalleryHome {
  asks = {}; // what is told with each question about the drawing
  kind = null; // of games that are one text each
  #id;

  constructor(level = null) {
    this.#id = level?.id ?? null;
    this.saved = level && { text: level.text, title: level.title };
  }

  /** Whether there is a level that Save writes over. */
  get isThere() {
    return this.#id !== null;
  }

  get name() {
    return this.saved?.title || `#${this.#id}`;
  }

  /** What stands in the address of the editor. */
  address(game) {
    return { level: this.#id, game: game.name };
  }

  /** Where it is played: as it is kept, or as it is drawn. */
  playedAt(game, drawn, isSaved) {
    return `/play${query(isSaved ? { level: this.#id } : { game: game.name, ...drawn, from: this.#id })}`;
  }

  /** Writes the drawing over the level, or makes one of it; returns what became of it, in words. */
  async save(game, { text, title }, asCopy) {
    const level = this.isThere && !asCopy ? await patch(`levels/${this.#id}`, { text, title }) : await post("levels", { game: game.name, text, title });
    this.#id = level.id;
    this.saved = { text, title: level.title };
    return asCopy ? `A copy is in the gallery as ${this.name}.` : "Saved.";
  }
}

/** A level of a game in one text, by its number from 0; null for one that is not there yet. */
export class ScriptHome {
  kind = "puzzlescript";
  #text;
  #number;

  constructor(text, number, levels) {
    [this.#text, this.#number] = [text, number];
    this.saved = levels[number] ?? null;
  }

  get asks() {
    return { script: this.#text };
  }

  get isThere() {
    return this.#number !== null;
  }

  get name() {
    return this.saved?.title || `level ${this.#number + 1}`;
  }

  address() {
    return { script: this.#number ?? "new" };
  }

  playedAt() {
    return `/script${query({ level: this.#number })}`;
  }

  async save(game, { text, title }, asCopy) {
    const answer = await post("script/saved", { text: this.#text, rows: text, title, level: asCopy ? null : this.#number });
    [this.#text, this.#number] = [answer.text, answer.level];
    keepScript(answer.text);
    this.saved = { text, title };
    return asCopy ? `A copy is behind the other levels, as ${this.name}.` : "Saved in the game.";
  }
}
