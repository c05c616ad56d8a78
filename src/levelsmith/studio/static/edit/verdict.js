// What the studio says of the drawing while one paints: whether it is a level, solvable, and its metrics.
import { post } from "../api.js";
import { debounce, el, number, plural, words } from "../ui.js";

const WAIT = 250; // milliseconds without a stroke
const WORDS = {
  solved: ["Solvable", "good"], unsolvable: ["No solution", "bad"], unknown: ["Not decided in time", "warm"], "n/a": ["A level", "good"],
};

export function verdictCard() {
  const badge = el("span", { class: "badge" }, "…");
  const detail = el("p", { class: "told" });
  const metrics = el("dl", { class: "metrics" });
  const element = el("section", { class: "card", "aria-live": "polite" }, el("div", { class: "row spread" }, el("h2", {}, "Check"), badge), detail, metrics);
  let asked = null; // an answer to an older question is dropped

  const ask = debounce(async (game, text) => {
    asked?.abort();
    asked = new AbortController();
    try {
      tell(await post("check", { game, text, solve: true }, asked.signal));
    } catch (error) {
      if (error.name !== "AbortError") tell({ valid: false, error: error.message, metrics: {} });
    }
  }, WAIT);

  function tell(answer) {
    const [word, kind] = answer.valid ? WORDS[answer.status] ?? [answer.status, ""] : ["Not a level yet", "bad"];
    badge.textContent = word;
    badge.className = `badge ${kind}`;
    const pushes = answer.pushes ?? answer.metrics?.pushes;
    const known = answer.solution ? `Solution of ${plural(answer.moves ?? answer.solution.length, "move")}${pushes ? `, ${plural(pushes, "push")}` : ""}` : "";
    detail.textContent = answer.error ?? known;
    if (!Object.keys(answer.metrics ?? {}).length) {
      for (const value of metrics.querySelectorAll("dd")) value.textContent = "–"; // so that nothing jumps
      return;
    }
    metrics.replaceChildren(...Object.entries(answer.metrics).flatMap(([name, value]) => [el("dt", {}, words(name)), el("dd", {}, number(value))]));
  }

  /** Asks anew once the drawing rests; an answer on its way is dropped at once. */
  function check(game, text) {
    asked?.abort();
    badge.textContent = "Checking…";
    badge.className = "badge";
    ask(game, text);
  }

  return { element, check };
}
