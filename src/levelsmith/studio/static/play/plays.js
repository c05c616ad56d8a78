// Plays that are kept in this browser, if somebody wants that: time, moves, undos, restarts, how often a hint was shown
// or it was told that the game is lost, solved or given up.
// Nothing is sent anywhere; they can be saved as a file for `levelsmith calibrate`.
import { button, el, plural } from "../ui.js";

const KEPT = "plays";
const WANTED = "keep plays";
const MOST = 10_000;
const BEGINS = ["moves", "hints"]; // a play
const NOTHING = { moves: 0, undos: 0, restarts: 0, hints: 0, told_lost: 0 };

const read = (key) => {
  try { return localStorage.getItem(key); } catch { return null; } // private windows may refuse
};
const write = (key, value) => {
  try { localStorage.setItem(key, value); } catch { /* then nothing is kept */ }
};
const lines = () => (read(KEPT) ?? "").split("\n").filter(Boolean);

export class Plays {
  element = el("details", { class: "card" });
  #level = null;
  #play = null; // begun with the first move

  constructor() {
    addEventListener("pagehide", () => this.leave());
    this.#show();
  }

  begin(level) {
    this.leave();
    this.#level = level;
  }

  /** A move, an undo, a restart, help (`hints`, `told_lost`); or the solution is watched, and what follows is no play. */
  did(what) {
    if (what === "film") {
      this.#play = this.#level = null;
      return;
    }
    if (this.#level && BEGINS.includes(what)) this.#play ??= { begun: performance.now(), ...NOTHING };
    if (this.#play) this.#play[what] += 1;
  }

  solved() {
    this.#keep(true);
  }

  /** Another level, or none: what was begun was given up. */
  leave() {
    this.#keep(false);
  }

  #keep(solved) {
    const play = this.#play;
    this.#play = null;
    if (!play || read(WANTED) !== "yes") return;
    const { game, text, title } = this.#level;
    const { begun, ...counts } = play;
    const seconds = Math.round((performance.now() - begun) / 100) / 10;
    const line = JSON.stringify({ game, text, ...(title && { title }), solved, seconds, ...counts });
    write(KEPT, [...lines(), line].slice(-MOST).join("\n"));
    this.#show();
  }

  #show() {
    const wanted = read(WANTED) === "yes";
    const count = lines().length;
    const box = el("input", { type: "checkbox", checked: wanted });
    box.addEventListener("change", () => {
      write(WANTED, box.checked ? "yes" : "no");
      this.#show();
    });
    const save = button("Save plays.jsonl", () => this.#save());
    const forget = button("Forget them", () => {
      write(KEPT, "");
      this.#show();
    });
    save.disabled = forget.disabled = !count;
    this.element.replaceChildren(
      el("summary", {}, wanted ? `${plural(count, "play")} kept` : "Record my plays"),
      el("label", { class: "row" }, box, " Keep how my plays go, in this browser alone"),
      el("p", { class: "soft" }, "Time, moves, undos, restarts, help by the page, solved or given up. levelsmith calibrate plays.jsonl says how well the difficulty ranks those without help."),
      el("div", { class: "row" }, save, forget));
  }

  #save() {
    const href = URL.createObjectURL(new Blob([`${lines().join("\n")}\n`], { type: "application/jsonl" }));
    el("a", { href, download: "plays.jsonl" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
  }
}
