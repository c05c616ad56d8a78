// What the studio says of the drawing while one paints: whether it is a level, can be won, and its metrics.
import { post } from "../api.js";
import { summary } from "../cards.js";
import { EDITS } from "../games/edits.js";
import { capital, compact, debounce, el, number, plural, problemLine, words } from "../ui.js";

const WAIT = 250; // milliseconds without a stroke
const SECONDS = 10; // for a proof in the browser
const WORDS = {
  solved: ["Can be won", "good"], unsolvable: ["Cannot be won", "bad"], unknown: ["Not decided in time", "warm"], "n/a": ["A level", "good"],
};

/** `why(cells, apart)` is told which cells are the reason that there is no solution, and which lie apart from the others. */
export function verdictCard(why = (_stuck, _apart) => {}) {
  const badge = el("span", { class: "badge" }, "…");
  const detail = el("p", { class: "told" });
  const metrics = el("dl", { class: "metrics" });
  const problem = problemLine();
  const rules = el("ul", { class: "rules" });
  const element = el("section", { class: "card", "aria-live": "polite" }, el("div", { class: "row spread" }, el("h2", {}, "Check"), badge), detail, problem, rules,
    el("details", {}, el("summary", {}, "Metrics"), metrics));
  let asked = null; // an answer to an older question is dropped

  const ask = debounce(async (game, text, asks, kind) => {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    const own = EDITS[kind ?? game.name];
    let [answered, proved] = [{}, {}]; // by the studio, which measures; by this browser, which goes first
    const decided = ({ status }) => status !== undefined && status !== "unknown";
    const told = () => {
      const all = decided(answered) && !decided(proved) ? answered : { ...answered, ...proved };
      tell(all, own);
      why(all.stuck ?? [], all.apart ?? []);
    };
    const progress = (states) => { badge.textContent = `Checking… ${compact(states)}`; };
    problem.tell("");
    const proving = own?.prove?.(text, { signal, seconds: SECONDS, progress }, game).then((proof) => {
      proved = proof;
      told();
    });
    proving?.catch((error) => error.name !== "AbortError" && problem.tell(error.message));
    try {
      answered = await post("check", { game: game.name, text, solve: true, ...asks }, signal);
      told();
    } catch (error) {
      if (error.name !== "AbortError" && !proved.status) tell({ valid: false, error: error.message, metrics: {} });
    }
  }, WAIT);

  function tell(answer, own) {
    const [word, kind] = answer.valid ? WORDS[answer.status] ?? [answer.status, ""] : ["Not a level yet", "bad"];
    badge.textContent = word;
    badge.className = `badge ${kind}`;
    detail.textContent = capital(answer.error ?? answer.why ?? answer.told ?? known(answer, own));
    rules.replaceChildren(...(answer.rules ?? []).map(({ line, text }) => el("li", {}, el("b", {}, `line ${line}`), ` ${text}`)));
    if (!Object.keys(answer.metrics ?? {}).length) {
      for (const value of metrics.querySelectorAll("dd")) value.textContent = "–"; // so that nothing jumps
      return;
    }
    metrics.replaceChildren(...Object.entries(answer.metrics).flatMap(([name, value]) => [el("dt", {}, words(name)), el("dd", {}, number(value))]));
  }

  /** Asks anew, and tells `asks` with it, once the drawing rests; an answer on its way is dropped at once. `kind` is that
   * of games that are one text each. */
  function check(game, text, asks = {}, kind = null) {
    asked?.abort();
    why([], []);
    badge.textContent = "Checking…";
    badge.className = "badge";
    ask(game, text, asks, kind);
  }

  return { element, check };
}

/** What is worth a line: how hard it is and how long it takes, in the words of its `own` game. */
function known(answer, own) {
  const { status, tier, solution, moves, metrics = {} } = answer;
  const lacks = own?.lacks?.(metrics);
  if (lacks) return lacks;
  if (!solution) return status === "n/a" ? summary({ metrics, tier: null }, ["path"]) : ""; // what is not solved has no length
  const long = own?.solved?.(answer) || `solution of ${plural(moves ?? solution.length, "move")}`;
  return [tier && `${tier} (${number(Math.round(metrics.difficulty))})`, long].filter(Boolean).join(" · ");
}
