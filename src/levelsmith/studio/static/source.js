// A text with its line numbers and colours, to read and to change; what is wrong stands behind its line.
import { el } from "./ui.js";

const MOST = 200_000; // letters that are painted

export class SourceText {
  #lines = el("ol", { class: "lines", "aria-hidden": "true" });
  #paint = el("div", { class: "paint", "aria-hidden": "true" });
  #text = el("textarea", { class: "text", wrap: "off", spellcheck: "false", autocapitalize: "off", "aria-label": "Source of the game" });
  #list = el("ul", { class: "faults" });
  #painted;
  #ending = "\n"; // of lines, in the file that it came from
  element = el("section", { class: "card", "aria-label": "Source" }, el("div", { role: "alert" }, this.#list), el("div", { class: "source" }, this.#lines, this.#paint, this.#text));

  /** `changed()` is called whenever somebody types or pastes; `painted(text)` gives the pieces of each line: [kind, text].
   * @param {function(): void} changed @param {function(string): [string, string][][]} painted */
  constructor(changed, painted) {
    this.#painted = painted;
    this.#text.addEventListener("input", () => {
      this.mark([]);
      changed();
    });
    this.#text.addEventListener("scroll", () => this.#follow());
  }

  get value() {
    return this.#text.value;
  }

  set value(text) {
    this.#ending = text.includes("\r\n") ? "\r\n" : "\n";
    this.#text.value = text;
    this.mark([]);
    this.#text.scrollTo(0, 0);
  }

  /** The text as it is written to a file: its lines end as they did in the file that it came from. */
  get file() {
    return this.value.replaceAll("\n", this.#ending);
  }

  /** Marks the lines of mistakes and odd ones, says behind them what is wrong, and lists them above the text; each leads
   * to its line. */
  mark(faults) {
    const marked = new Map(); // by line: its faults, mistakes before what is only odd
    for (const fault of faults) marked.set(fault.line, [...(marked.get(fault.line) ?? []), fault]);
    const lines = this.value.split("\n");
    const pieces = this.value.length > MOST ? lines.map((line) => [["", line]]) : this.#painted(this.value);
    const kind = (i) => (marked.has(i + 1) ? (marked.get(i + 1)[0].odd ? "odd" : "wrong") : null);
    this.#lines.replaceChildren(...lines.map((_, i) => el("li", { class: kind(i) })));
    this.#paint.replaceChildren(...pieces.map((line, i) => el("div", { class: kind(i) },
      el("span", {}, ...line.map(([what, text]) => (what ? el("span", { class: what }, text) : text))),
      marked.has(i + 1) ? el("em", {}, marked.get(i + 1).map(({ text }) => text).join("; ")) : "\u200b")));
    this.#list.replaceChildren(...faults.map((fault) => el("li", { class: fault.odd && "odd" }, el("button", { type: "button", class: "quiet", onclick: () => this.#go(fault) },
      fault.line ? `Line ${fault.line}: ${fault.text}` : fault.text))));
    this.#follow();
  }

  #follow() {
    const { scrollTop, scrollLeft } = this.#text;
    this.#lines.style.translate = `0 ${-scrollTop}px`;
    this.#paint.style.translate = `${-scrollLeft}px ${-scrollTop}px`;
    this.#paint.style.clipPath = `inset(0 0 0 ${scrollLeft}px)`;
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
