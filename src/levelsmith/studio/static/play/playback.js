// A solution played move by move: play, pause, one step, and how fast.
import { button, capital, el, field, number } from "../ui.js";

const WITHOUT = {
  unsolvable: "This level has no solution.",
  unknown: "No solution was found in time.",
  "n/a": "This game has no solver, so there is no solution to watch.",
};

/** Why there is no solution to play, from an answer to a check. */
export const whyNone = ({ status, error }) => (error ? capital(error) : WITHOUT[status] ?? "No solution is known.");

export class Playback {
  #timer = 0;
  #at = 0;
  #plan = "";
  #solution;
  #rewind;
  #step;

  /** `solution()` gives the moves; `rewind()` goes back to the start; `step(letter)` says whether it went;
   * `back()`, where there is one, takes the last move back. */
  constructor({ solution, rewind, step, back = null, note = null }) {
    this.#solution = solution;
    this.#rewind = rewind;
    this.#step = step;
    this.play = button("Play solution", () => (this.#timer ? this.#pause() : this.#start()), { class: "primary" });
    this.once = button("One move", () => this.#one());
    this.back = back && button("Back", () => this.#return(back));
    this.place = el("p", { class: "soft" }, "\u00a0");
    this.speed = el("input", { type: "range", min: 1, max: 40, value: 8 });
    this.element = el("section", { class: "card" },
      el("h2", {}, "Solution"),
      el("div", { class: "row" }, this.play, this.once, this.back),
      field("Moves a second", this.speed),
      this.place,
      note ? el("small", {}, note) : null);
    this.refresh();
  }

  /** Milliseconds of a move. */
  get delay() {
    return this.#timer ? 1000 / Number(this.speed.value) : Infinity;
  }

  refresh() {
    const plan = this.#solution();
    this.play.disabled = this.once.disabled = !plan;
    if (!this.#timer && !this.#at) this.place.textContent = plan ? `${number(plan.length)} moves` : "None known yet";
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
    this.place.textContent = `Move ${number(this.#at)} of ${number(this.#plan.length)}`;
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
    const letter = this.#plan[this.#at];
    if (!letter) return false;
    this.#at += 1;
    this.#tell();
    const more = this.#at < this.#plan.length;
    return this.#step(letter) && more;
  }
}
