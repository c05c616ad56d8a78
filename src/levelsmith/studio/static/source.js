// A text with its line numbers, to read and to change; lines with a mistake are marked.
import { el } from "./ui.js";

export class SourceText {
  #lines = el("ol", { class: "lines", "aria-hidden": "true" });
  #text = el("textarea", { class: "text", wrap: "off", spellcheck: "false", autocapitalize: "off", "aria-label": "Source of the game" });
  #list = el("ul", { class: "faults", role: "alert" });
  element = el("section", { class: "card" }, this.#list, el("div", { class: "source" }, this.#lines, this.#text));

  /** `changed()` is called whenever somebody types or pastes. */
  constructor(changed) {
    this.#text.addEventListener("input", () => {
      this.mark([]);
      changed();
    });
    this.#text.addEventListener("scroll", () => { this.#lines.style.translate = `0 ${-this.#text.scrollTop}px`; });
  }

  get value() {
    return this.#text.value;
  }

  set value(text) {
    this.#text.value = text;
    this.mark([]);
    this.#text.scrollTo(0, 0);
  }

  /** Marks the lines of mistakes and odd ones, and lists them above the text; each leads to its line. */
  mark(faults) {
    const marked = new Map([...faults].reverse().map((fault) => [fault.line, fault.odd ? "odd" : "wrong"]));
    this.#lines.replaceChildren(...this.value.split("\n").map((_, i) => el("li", { class: marked.get(i + 1) })));
    this.#list.replaceChildren(...faults.map((fault) => el("li", { class: fault.odd && "odd" }, el("button", { type: "button", class: "quiet", onclick: () => this.#go(fault) },
      fault.line ? `Line ${fault.line}: ${fault.text}` : fault.text))));
  }

  #go({ line, column }) {
    const lines = this.value.split("\n");
    if (!line) return;
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    this.#text.focus();
    this.#text.setSelectionRange(start + column - 1, start + (lines[line - 1] ?? "").length);
    this.#text.scrollTop = (this.#text.scrollHeight / lines.length) * Math.max(0, line - 6);
  }
}
