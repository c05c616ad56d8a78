// What can be done with a PuzzleScript game: a level solved and watched, new levels made, the file taken home.
import { get, post } from "./api.js";
import { saved } from "./gallery/files.js";
import { range } from "./setting.js";
import { button, capital, el, field, guarded, plural, problemLine, select } from "./ui.js";

const COUNTS = [1, 3, 5, 10, 20];
const LOOK = 1000; // milliseconds between two looks at what is compiled
const keysField = () => el("input", { type: "number", class: "short", min: 1, placeholder: "any" });

export class Workshop {
  #told = el("span", { role: "status" });
  #problem = problemLine();
  #count = select(COUNTS.map((count) => [String(count), String(count)]), "3", () => {});
  #least = keysField();
  #most = keysField();
  #needs = el("select", {});
  #from = select([["", "all levels"], ["this", "this level"]], "", () => {});
  #solve = button("Solve", guarded(() => this.#solved(), this.#problem));
  #make = button("Make new levels", guarded(() => this.#made(), this.#problem), { class: "primary" });
  #save = button("Save the file", () => saved(new Blob([this.#game.file()], { type: "text/plain" }), `${this.#name}.txt`));
  #game;
  #level = null;
  #index = 0;
  #name = "game";
  #seed = 0;
  #edit = el("a", { class: "button" }, "Edit this level");
  element = el("section", { class: "card", "aria-label": "Workshop", hidden: true },
    el("div", { class: "row" },
      this.#solve, this.#edit, el("a", { class: "button", href: "/edit?script=new" }, "Draw a new one"), this.#told),
    el("div", { class: "row" },
      field("New levels", this.#count), field("Keys, at least", this.#least), field("Keys, at most", this.#most), field("Grown from", this.#from)),
    field("Must use this rule", this.#needs),
    el("div", { class: "row" }, this.#make, this.#save),
    this.#problem);

  /** `text()` is the game, and `file()` is it as a file has it; `change(text)` puts another in its place; `watch(level)` opens a level again. */
  constructor(game) {
    this.#game = game;
  }

  /** Shows what can be done with a game; null for none. */
  show(game, levels) {
    this.element.hidden = !game;
    if (!game) return;
    for (const one of [this.#solve, this.#edit, this.#make]) one.hidden = !levels.length;
    const rule = this.#needs.value;
    this.#name = (game.title || "game").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    this.#needs.replaceChildren(el("option", { value: "" }, "(any)"),
      ...game.rules.map(({ line, text }) => el("option", { value: String(line) }, `line ${line}: ${text}`)));
    this.#needs.value = game.rules.some(({ line }) => String(line) === rule) ? rule : "";
  }

  /** A level is shown. */
  pick(level, index) {
    if (this.#level !== level) this.#told.textContent = level.told ?? "";
    [this.#level, this.#index] = [level, index];
    this.#edit.href = `/edit?script=${index}`;
  }

  /** Says what is compiled while somebody waits, until `done()`. */
  #tellCompiling(otherwise) {
    this.#told.textContent = otherwise;
    const timer = setInterval(async () => {
      const { note } = await get("script/working").catch(() => ({ note: "" }));
      this.#told.textContent = note ? `${capital(note)} …` : otherwise;
    }, LOOK);
    return () => clearInterval(timer);
  }

  async #solved() {
    const [level, index] = [this.#level, this.#index];
    this.#solve.disabled = true;
    const done = this.#tellCompiling("Solving …");
    try {
      const { solution, told } = await post("script/solved", { text: this.#game.text(), level: index });
      [level.solution, level.told] = [solution, `${capital(told)}.`];
    } finally {
      done();
      this.#solve.disabled = false;
      this.#told.textContent = level.told ?? "";
    }
    if (level === this.#level) await this.#game.watch(level);
  }

  async #made() {
    this.#make.disabled = true;
    this.#make.textContent = "Making …";
    this.#seed += 1;
    const done = this.#tellCompiling("");
    try {
      const asked = { count: Number(this.#count.value), moves: range(this.#least.value, this.#most.value), needs: this.#needs.value, seed: this.#seed };
      if (this.#from.value) asked.level = this.#index;
      const { text, made, told } = await post("script/made", { text: this.#game.text(), ...asked });
      done();
      await this.#game.change(text);
      this.#told.textContent = `${capital(plural(made, "new level"))} behind the others. ${told ? `${capital(told)}.` : ""}`;
    } finally {
      done();
      this.#make.disabled = false;
      this.#make.textContent = "Make new levels";
    }
  }
}
