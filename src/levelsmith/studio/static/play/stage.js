// Where levels are played, one at a time: the board, what stands beside it, keys, the message at the end.
import { get } from "../api.js";
import { PLAYS } from "../games/plays.js";
import { button, el, guarded, number, typing, words } from "../ui.js";
import { play as playFilm } from "./film.js";

export class Stage {
  element = el("div", { class: "work" });
  #levels;
  #opened;
  #current = null;
  #hooks = {}; // of the game that is played: key, up, blur, stop
  #plays; // that are kept, or undefined
  #options;
  #filmed = false; // since the last begin: what wins is no play
  #left = new AbortController();

  /** `opened(level, index, went)` is called as a level is shown; `went` where next or previous led there. `help` says
   * whether pages show hints and solutions; `kept(level)` are the keys that a player has made of it, `keep(level, keys)`
   * takes them, and `won(level, result)` how it went.
   * @param {{help?: boolean, kept?: function(Object): string, keep?: function(Object, string): void, won?: function(Object, number): void}} [options] */
  constructor(levels, opened, plays, options = {}) {
    this.#levels = levels;
    this.#plays = plays;
    this.#options = options;
    this.#opened = opened;
    const { signal } = this.#left;
    addEventListener("keydown", (event) => this.#press(event), { signal });
    addEventListener("keyup", (event) => this.#hooks.up?.(event), { signal });
    addEventListener("blur", () => this.#hooks.blur?.(), { signal });
  }

  /** Ends it: nothing is played here any more. */
  close() {
    this.#hooks.stop?.();
    this.#hooks = {};
    this.#current = null;
    this.#left.abort();
  }

  async open(level, went = false) {
    this.#hooks.stop?.();
    this.#hooks = {};
    this.#current = level;
    if (level.text === undefined) Object.assign(level, await get(`levels/${encodeURIComponent(level.id)}`));
    if (this.#current !== level) return; // another one was asked for meanwhile
    this.#opened(level, this.#levels.indexOf(level), went);
    this.#plays?.begin(level);
    this.#filmed = false;
    const frame = el("div", { class: "board tall" });
    const side = el("aside", { class: "stack", "aria-label": "Controls" });
    const end = el("div", { class: "end" });
    this.element.replaceChildren(el("div", { class: "stack" }, frame, end), side);
    const playing = (PLAYS[level.game] ?? playFilm)({
      frame,
      side,
      level,
      finished: (told) => this.#finish(end, told),
      did: (what) => {
        if (["film", "restarts"].includes(what)) this.#filmed = what === "film";
        this.#plays?.did(what);
      },
      help: this.#options.help,
      kept: this.#options.kept?.(level),
      keep: (keys) => this.#options.keep?.(level, this.#filmed ? "" : keys),
      next: this.#levels.at(-1) === level ? null : () => this.go(1),
      controls: (given) => { this.#hooks = given; },
    });
    await playing.catch((error) => frame.replaceChildren(el("p", { class: "problem-line", role: "alert" }, error.message)));
    if (level.metrics && Object.keys(level.metrics).length) side.append(metrics(level));
  }

  /** Opens the next level, or with -1 the previous one. */
  go = guarded(async (by) => {
    const level = this.#levels[this.#levels.indexOf(this.#current) + by];
    if (level) await this.open(level, true);
  });

  /** The message at the end of a game, below the board, so that it covers nothing; null takes it away. */
  #finish(place, end) {
    place.replaceChildren();
    if (!end) return;
    if (!end.lost) this.#plays?.solved();
    if (!end.lost && !this.#filmed) this.#options.won?.(this.#current, end.result);
    const more = this.#levels.indexOf(this.#current) < this.#levels.length - 1;
    const on = end.lost || !more
      ? end.again && button(end.label ?? (end.lost ? "Try again" : "Play again"), end.again, { class: "primary" })
      : button("Next level", () => this.go(1), { class: "primary" });
    place.append(el("div", { class: end.lost ? "veil lost" : "veil" }, el("strong", {}, end.message), on));
  }

  #press(event) {
    if (typing(event) || (event.target.closest?.("button, a") && [" ", "Enter"].includes(event.key))) return;
    if (this.#hooks.key?.(event)) event.preventDefault();
    else if (event.key === "n") this.go(1);
    else if (event.key === "p") this.go(-1);
    else if (event.key === "Enter") this.element.querySelector(".veil button")?.click();
  }
}

function metrics(level) {
  const rows = Object.entries(level.metrics).flatMap(([name, value]) => [el("dt", {}, words(name)), el("dd", {}, number(value))]);
  return el("details", { class: "card" }, el("summary", {}, "Metrics"), el("dl", { class: "metrics" }, ...rows));
}
