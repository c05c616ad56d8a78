// One search, watched: its best level, its curve, its numbers, and the buttons that hold it.
import { get, post, watch } from "./api.js";
import { Board } from "./board.js";
import { Curve } from "./curve.js";
import { tilesOf } from "./thumb.js";
import { button, capital, compact, el, guarded, number, percent, plural, problemLine, speak, stat, stats, words } from "./ui.js";

export const ENDED = ["done", "failed", "cancelled", "interrupted"];
const WORDS = {
  queued: "Queued", running: "Making levels", paused: "Paused", done: "Done", failed: "Failed",
  cancelled: "Stopped", interrupted: "Interrupted",
};
const KIND = { done: "good", failed: "bad", interrupted: "warm", cancelled: "warm", paused: "warm" };
const MOST_POINTS = 1000;

/** @param hooks `level(level)` as each arrives, `ended(state)`, `moved()` after each event. */
export function runPanel(hooks = {}) {
  const frame = el("div", { class: "board live" });
  const board = new Board(frame);
  const curve = new Curve();
  const badge = el("span", { class: "badge", role: "status" }, "Ready");
  const note = el("p", { class: "soft note", role: "status" }, "\u00a0");
  const problem = problemLine();
  const numbers = { score: stat("Match"), evaluations: stat("Tries"), rate: stat("Tries per second"), seconds: stat("Seconds"), levels: stat("Levels") };
  const press = (name) => guarded(async () => post(`jobs/${id}/${name}`));
  const buttons = {
    pause: button("Pause", press("pause")),
    resume: button("Resume", press("resume"), { class: "primary" }),
    keep: button("Keep this level", guarded(async () => {
      take(await post("levels", { game: game.name, text: job.text }));
      buttons.keep.hidden = true;
    }), { hidden: true, title: "The best that was found, though it does not meet all conditions" }),
    cancel: button("Stop", press("cancel"), { title: "Stop and keep the best so far" }),
    more: button("Go on", guarded(async () => {
      [state, missing] = ["queued", 0];
      showBadge(); // at once: it cannot be pressed twice
      try {
        await post(`jobs/${id}/more`);
      } finally {
        await follow(id, game, true);
      }
    }), { class: "primary", hidden: true }),
  };
  const bar = el("progress", { max: 1, value: 0, "aria-label": "Part of the budget that is spent" });
  let id = null;
  let game = null;
  let job = null;
  let close = () => {};
  let state = "";
  let missing = 0; // levels, once it is over
  let seen = new Set();
  let history = [];

  function showState({ state: now, note: told, error, missing: lacks = 0 }) {
    state = now;
    missing = ENDED.includes(now) && now !== "failed" ? lacks : 0;
    showBadge();
    note.textContent = told || (now === "queued" ? "waits for others to end" : "\u00a0");
    problem.tell(error && capital(`${error}.`));
    buttons.pause.hidden = now === "paused";
    buttons.resume.hidden = now !== "paused";
    buttons.pause.disabled = now !== "running" || Boolean(told);
    buttons.cancel.disabled = ENDED.includes(now);
    hooks.moved?.();
    buttons.keep.hidden = true;
    if (!ENDED.includes(now)) return;
    if (now === "done") bar.value = 1;
    speak(`${badge.textContent}. ${plural(seen.size, "level")}.`);
    hooks.ended?.(now);
    offer();
  }

  /** How it stands in a word; once it is over, how many levels there are where some are missing, and a way on. */
  function showBadge() {
    const asked = job?.setting.count ?? 1;
    const short = state === "done" && missing;
    badge.textContent = !short ? WORDS[state] ?? state : missing < asked ? `${number(asked - missing)} of ${number(asked)}` : "Nothing found";
    badge.className = `badge ${short ? "warm" : KIND[state] ?? ""}`;
    buttons.more.hidden = !missing;
    buttons.more.textContent = missing < asked ? `Go on for the other ${missing === 1 ? "one" : number(missing)}` : "Go on";
  }

  /** The last figures; and a search that found nothing within the ranges may have come near. */
  async function offer() {
    const ended = await get(`jobs/${id}`);
    if (ended.id !== id) return;
    job = ended;
    showBadge();
    if (job.history.length) history = [...job.history]; // exact, now that it is over
    if (job.evaluations) showProgress(job);
    buttons.keep.hidden = Boolean(job.levels.length) || !job.text;
  }

  function showProgress(event) {
    showScore(event.score);
    numbers.evaluations.set(compact(event.evaluations));
    numbers.rate.set(compact(Math.round(event.rate ?? 0)));
    numbers.seconds.set(event.seconds.toFixed(1));
    history.push([event.evaluations, event.seconds, event.score, event.start ?? history.at(-1)?.[3]]);
    if (history.length > MOST_POINTS) history = history.filter((_, i) => i % 2 || i === history.length - 1);
    curve.show({ score: history });
    const runs = (job?.setting.count ?? 1) * (1 + (job?.plan.times ?? 0));
    const { evaluations, seconds } = job?.plan ?? {};
    const spent = Math.max(evaluations ? event.evaluations / (evaluations * runs) : 0, seconds ? event.seconds / (seconds * runs) : 0);
    bar.value = state === "done" ? 1 : Math.min(1, Math.max(spent, seen.size / Math.max(runs, 2)));
    if (event.text) draw(event.text);
    hooks.moved?.();
  }

  /** How near it comes to what was asked for, in per cent; where there is no such end, what it has reached. */
  function showScore(score) {
    const { goal, shows } = job?.plan ?? {};
    const one = (job?.setting.count ?? 1) === 1;
    // Of several levels, it is how near the one comes that is being made; over, each is there or is missing.
    numbers.score.hidden = Boolean(job) && ((!goal && !shows) || (ENDED.includes(state) && missing > 0 && !one));
    numbers.score.name(shows ? capital(words(shows.metric)) : one || ENDED.includes(state) ? "Match" : "Match of this one");
    numbers.score.set(shows && score !== null ? number(Math.round(10 * (shows.zero + score * (shows.one - shows.zero))) / 10) : percent(score));
  }

  function draw(text) {
    board.show(tilesOf(game, text));
    board.label = `The best level so far, ${game.name}`;
  }

  function take(level) {
    if (seen.has(level.id)) return;
    seen.add(level.id);
    numbers.levels.set(number(seen.size));
    hooks.level?.(level);
  }

  /** Follows a job of a game (of the catalogue) from wherever it stands; its levels are known where it goes on. */
  async function follow(number_, theGame, goesOn = false) {
    close();
    [id, game, job, state, missing, history] = [number_, theGame, goesOn ? job : null, "", 0, []];
    if (!goesOn) seen = new Set();
    for (const one of Object.values(numbers)) one.set("–");
    curve.show({ score: [] });
    bar.value = 0;
    await board.dress(game.name);
    close = watch(id, { progress: showProgress, state: showState, level: take });
    const found = await get(`jobs/${id}`);
    if (found.id !== id) return found;
    if (!job || goesOn) job = found;
    history = [...job.history, ...history.filter((point) => point[0] > (job.history.at(-1)?.[0] ?? -1))];
    curve.show({ score: history });
    if (job.text) draw(job.text);
    if (job.evaluations) showProgress(job);
    if (!state) showState(job); // an event that came meanwhile is newer than this answer
    else showBadge();
    if (job.levels.length) {
      const { levels } = await get(`levels?job=${id}&limit=500&sort=id`);
      levels.forEach(take);
    }
    return job;
  }

  const element = el("section", { class: "card run", "aria-label": "The search" },
    el("div", { class: "row spread" }, badge,
      el("div", { class: "row" }, buttons.pause, buttons.resume, buttons.cancel)),
    problem, el("div", { class: "row" }, buttons.more, buttons.keep), note, frame, bar, stats(...Object.values(numbers)), curve.element);
  buttons.resume.hidden = true;
  buttons.pause.disabled = buttons.cancel.disabled = true;
  return { element, follow, get job() { return job; }, get state() { return state; }, get history() { return history; }, stop: press("cancel") };
}
