// A solution played move by move: play, pause, one step, and how fast.
import { button, el, field, number } from "../ui.js";

export class Playback {
  #timer = 0;
  #at = 0;
  #plan = "";
  #solution;
  #rewind;
  #step;

  /** `solution()` gives the moves; `rewind()` goes back to the start; `step(letter)` says whether it went. */
  constructor({ solution, rewind, step, note = null }) {
    this.#solution = solution;
    this.#rewind = rewind;
    this.#step = step;
    this.play = button("Play solution", () => (this.#timer ? this.#pause() : this.#start()), { class: "primary" });
    this.once = button("One move", () => this.#one());
    this.place = el("p", { class: "soft" }, "\u00a0");
    this.speed = el("input", { type: "range", min: 1, max: 40, value: 8 });
    this.element = el("section", { class: "card" },
      el("h2", {}, "Solution"),
      el("div", { class: "row" }, this.play, this.once),
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
    this.play.textContent = this.#timer ? "Pause" : this.#at ? "Go on" : "Play solution";
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
    this.#label();
  }

  #tick() {
    if (this.#advance()) this.#timer = setTimeout(() => this.#tick(), this.delay);
    else this.stop();
  }

  #advance() {
    const letter = this.#plan[this.#at];
    if (!letter) return false;
    this.#at += 1;
    const [at, total] = [this.#at, this.#plan.length];
    this.place.textContent = `Move ${number(at)} of ${number(total)}`;
    return this.#step(letter) && at < total;
  }
}
