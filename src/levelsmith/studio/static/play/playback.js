// A solution played step by step: play, pause, one step, and how fast.
import { button, capital, el, field, number, plural } from "../ui.js";

const WITHOUT = {
  unsolvable: "This level has no solution.",
  unknown: "No solution was found in time.",
  "n/a": "This game has no solver, so there is no solution to watch.",
};

const MOVES = { word: "move", rate: 8, most: 40 };

/** Why there is no solution to play, from an answer to a check. */
export const whyNone = ({ status, error, why }) => [error ? capital(error) : WITHOUT[status] ?? "No solution is known.", why && `${capital(why)}.`].filter(Boolean).join(" ");

export class Playback {
  #timer = 0;
  #at = 0;
  #plan = "";
  #solution;
  #rewind;
  #step;
  #unit;
  #note;

  /** `solution()` gives the steps; `rewind()` goes back to the start; `step(one)` says whether it goes on;
   * `back()`, where there is one, takes the last step back; `unit()` is what a step is called, how many there are a
   * second at first, and at most; `note()` is said below. */
  constructor({ solution, rewind, step, back = null, unit = () => MOVES, note = () => "" }) {
    this.#solution = solution;
    this.#rewind = rewind;
    this.#step = step;
    this.#unit = () => unit() ?? MOVES;
    this.#note = note;
    this.play = button("Play solution", () => (this.#timer ? this.#pause() : this.#start()), { class: "primary" });
    this.once = button("", () => this.#one());
    this.back = back && button("Back", () => this.#return(back));
    this.place = el("p", { class: "soft" }, "\u00a0");
    this.speed = el("input", { type: "range", min: 1 });
    this.rate = field("", this.speed);
    this.said = el("small");
    this.element = el("section", { class: "card" },
      el("h2", {}, "Solution"),
      el("div", { class: "row" }, this.play, this.once, this.back),
      this.rate,
      this.place,
      this.said);
    this.refresh();
  }

  /** Milliseconds of a step. */
  get delay() {
    return this.#timer ? 1000 / Number(this.speed.value) : Infinity;
  }

  refresh() {
    const plan = this.#solution();
    const { word, rate, most } = this.#unit();
    this.play.disabled = this.once.disabled = !plan;
    this.once.textContent = `One ${word}`;
    this.rate.querySelector("span").textContent = `${capital(word)}s a second`;
    if (this.speed.max !== String(most)) [this.speed.max, this.speed.value] = [most, rate];
    this.said.textContent = this.#note();
    if (!this.#timer && !this.#at) this.place.textContent = plan ? plural(plan.length, word) : "None known yet";
    this.#label();
  }

  /** Ends it; the next time it plays from the start. */
  stop() {
    this.#at = 0;
    this.#pause();
  }

  #pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#label();
  }

  #label() {
    const begun = this.#at > 0 && this.#at < this.#plan.length;
    this.play.textContent = this.#timer ? "Pause" : begun ? "Go on" : "Play solution";
    if (this.back) this.back.disabled = !this.#at;
  }

  #tell() {
    this.place.textContent = `${capital(this.#unit().word)} ${number(this.#at)} of ${number(this.#plan.length)}`;
    this.#label();
  }

  #begin() {
    if (this.#at && this.#at < this.#plan.length) return;
    this.#rewind();
    this.#plan = this.#solution();
    this.#at = 0;
  }

  #start() {
    this.#begin();
    this.#timer = setTimeout(() => this.#tick(), 300);
    this.#label();
  }

  #one() {
    this.#pause();
    this.#begin();
    this.#advance();
  }

  #return(back) {
    this.#pause();
    if (!this.#at) return;
    this.#at -= 1;
    back();
    this.#tell();
  }

  #tick() {
    if (this.#advance()) this.#timer = setTimeout(() => this.#tick(), this.delay);
    else if (this.#at < this.#plan.length) this.stop();
    else this.#pause();
  }

  #advance() {
    if (this.#at >= this.#plan.length) return false;
    const step = this.#plan[this.#at];
    this.#at += 1;
    this.#tell();
    const more = this.#at < this.#plan.length;
    return this.#step(step) && more;
  }
}
