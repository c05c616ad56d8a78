// A game in one text: its levels to look at and to play, and beside them its source with the mistakes marked.
import { levelsOf, painted } from "./games/packs.js";
import { Stage } from "./play/stage.js";
import { SourceText } from "./source.js";
import { button, debounce, el, guarded, plural, problemLine } from "./ui.js";

const WAIT = 500; // milliseconds after the last letter

export class Script {
  heading = el("h1", {}, "PuzzleScript");
  place = el("p", { class: "soft", role: "status" });
  problem = problemLine();
  choices = el("div", { class: "row shelf" });
  stage = el("div", {});
  #playing = null; // the Stage
  #asked = 0;
  #hooks;
  #check;
  source;

  /** `read(text)` comes back with {faults, game}, and `changed(text)` hears what was typed. `shown(game, levels)` is called
   * with what was read, null for no game, and `picked(level, index)` as a level is opened.
   * @param {{read: function(string): Promise<Object>, changed: function(string): void, shown?: function(Object, Object[]): void, picked?: function(Object, number): void}} hooks */
  constructor(hooks) {
    this.#hooks = hooks;
    this.#check = guarded((level = 0) => this.#read(level), this.problem);
    this.source = new SourceText(debounce(() => this.#check(), WAIT), painted);
  }

  /** Puts a game in the place of what is there, and opens one of its levels. @param {string} text */
  async open(text, level = 0) {
    this.source.value = text.replace(/^\ufeff/, "");
    await this.#check(level);
  }

  /** Opens a level, or opens it again. @param {Object} level */
  async watch(level) {
    await this.#playing?.open(level);
  }

  /** Ends what is played. */
  close() {
    this.#playing?.close();
    this.#playing = null;
  }

  async #read(level) {
    const mine = this.#asked += 1;
    const text = this.source.value;
    this.#hooks.changed(text);
    if (!text.trim()) return this.#show(null, level);
    const answer = await this.#hooks.read(text);
    if (mine !== this.#asked) return undefined; // it was changed meanwhile
    this.source.mark(answer.faults);
    return this.#show(answer, level);
  }

  async #show(answer, first) {
    this.close();
    this.stage.replaceChildren();
    const game = answer?.game;
    this.heading.textContent = game?.title || "PuzzleScript";
    const levels = game ? levelsOf(game) : [];
    this.place.textContent = told(answer, levels);
    const pictures = levels.map((level, i) => {
      const picture = el("canvas", { class: "pixels", "aria-hidden": "true" });
      level.pixels.draw(picture, level.board.board, level.board);
      level.note = el("small", {}, level.title);
      return button([picture, el("span", { class: "unseen" }, `Play level ${i + 1}: `), level.note], guarded(() => this.watch(level)), { class: "choice" });
    });
    this.choices.replaceChildren(...pictures);
    this.#hooks.shown?.(game, levels);
    if (!levels.length) return;
    this.#playing = new Stage(levels, (level, index) => {
      pictures.forEach((one, i) => one.setAttribute("aria-current", String(i === index)));
      this.#hooks.picked?.(level, index);
    });
    this.stage.replaceChildren(this.#playing.element);
    await this.#playing.open(levels[first] ?? levels[0]);
  }
}

/** What is played, in a few words. */
function told(answer, levels) {
  if (!answer) return "Drop or paste a PuzzleScript file, or open one of ours.";
  const wrong = answer.faults.filter((fault) => !fault.odd).length;
  if (!answer.game) return `It cannot be played yet: ${plural(wrong, "mistake")}, marked in the source.`;
  const by = answer.game.author && `by ${answer.game.author}`;
  return [by, plural(levels.length, "level"), wrong && `${plural(wrong, "mistake")}; it is played without the faulty parts`].filter(Boolean).join(" · ");
}

/** What opens a game: those that ship by their names, and a button for a file. `take(text)` gets its text.
 * @param {Object<string, string>} scripts by name @param {function(string): Promise<void>} take */
export function opener(scripts, take, problem) {
  const read = guarded(async (given) => take(await given.text()), problem);
  const file = el("input", { type: "file", accept: ".txt,.puzzlescript,text/plain", hidden: true, onchange: () => file.files[0] && read(file.files[0]) });
  const ours = el("select", { "aria-label": "Open one of ours", onchange: guarded(() => ours.value && take(scripts[ours.value]), problem) },
    el("option", { value: "" }, "One of ours"), ...Object.keys(scripts).map((name) => el("option", { value: name }, name.split(":").at(-1))));
  return el("div", { class: "row" }, ours, button("Open a file", () => file.click()), file);
}
