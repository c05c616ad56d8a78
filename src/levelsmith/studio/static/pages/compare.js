// Compare: two recipes side by side on the same budget.
import { catalogue, get, post } from "../api.js";
import { insertCard, levelCard } from "../cards.js";
import { Curve } from "../curve.js";
import { freshSeed, settingForm } from "../form.js";
import { ENDED, runPanel } from "../run.js";
import { fromQuery, toQuery } from "../setting.js";
import { button, el, field, fill, guarded, number, percent, problemLine } from "../ui.js";

export const title = "Compare";
const SIDES = ["a", "b"];
const START = { a: { game: "binary", search: "hc" }, b: { game: "binary", search: "ga", representation: "wide" } };
const BUDGET = { evaluations: 20000, count: 3 };

export default async function page(root, parameters) {
  const [{ games, fields }, { experiments }] = await Promise.all([catalogue(), get("experiments")]);
  const both = new Curve("Match over tries of both");
  const apart = SIDES.map((name) => new Curve(`Match over tries of ${name.toUpperCase()}`));
  const problem = problemLine();
  const sides = SIDES.map((name) => side(name));
  const shared = { ...BUDGET, ...fromQuery(fields, parameters) };
  const budget = Object.fromEntries(["evaluations", "seconds", "count", "seed"].map((name) => [name,
    el("input", { type: "number", min: 0, step: name === "seconds" ? "any" : 1, value: shared[name] ?? "", onchange: remember })]));
  const table = el("div", { class: "scroll" });

  function side(name) {
    const given = fromQuery(fields, parameters, `${name}.`);
    const form = settingForm(games, given.game ? given : START[name], { fields, changed: remember });
    form.element.classList.add("no-budget");
    const kept = el("div", { class: "cards small" });
    const run = runPanel({ level: (level) => insertCard(kept, levelCard(level, { list: { job: level.job, sort: "id" } })), moved: draw, ended: draw });
    return { name, form, run, kept };
  }

  const common = () => Object.fromEntries(Object.entries(budget).filter(([, control]) => control.value !== "").map(([name, control]) => [name, Number(control.value)]));
  const settingOf = ({ form }) => {
    const { evaluations, seconds, count, seed, ...rest } = form.setting;
    return { ...rest, ...common() };
  };

  function remember() {
    if (!sides) return;
    const pairs = sides.flatMap(({ name, form }) => {
      const { evaluations, seconds, count, seed, ...rest } = form.setting;
      return toQuery(fields, rest, `${name}.`);
    });
    history.replaceState(null, "", `/compare?${new URLSearchParams([...toQuery(fields, common()), ...pairs])}`);
  }

  /** Whether both look for the same, so that one axis serves them. */
  function alike() {
    const [a, b] = sides.map(({ run }) => run.job?.plan && JSON.stringify([run.job.setting.game, run.job.plan.objective, run.job.plan.want]));
    return a === b;
  }

  function draw() {
    const one = alike();
    both.element.hidden = !one;
    apart.forEach((curve) => { curve.element.hidden = one; });
    if (one) both.show(Object.fromEntries(sides.map(({ name, run }) => [name.toUpperCase(), run.history])));
    else sides.forEach(({ name, run }, i) => apart[i].show({ [name.toUpperCase()]: run.history }));
    axes.hidden = one;
    const rows = [["match", (run) => (run.job?.plan.goal ? percent : number)(run.history.at(-1)?.[2])], ["tries", (run) => number(run.history.at(-1)?.[0])],
      ["seconds", (run) => number(run.history.at(-1)?.[1])], ["state", (run) => run.state || "–"]];
    table.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, ""), ...sides.map(({ name, run }) => el("th", {}, `${name.toUpperCase()}: ${run.job?.plan.search ?? "–"}`)))),
      el("tbody", {}, ...rows.map(([what, told]) => el("tr", {}, el("th", {}, what), ...sides.map(({ run }) => el("td", {}, told(run))))))));
  }

  const start = guarded(async () => {
    if (budget.seed.value === "") budget.seed.value = freshSeed();
    remember();
    const running = sides.filter(({ run }) => run.state && !ENDED.includes(run.state));
    await Promise.all(running.map(({ run }) => run.stop()));
    const made = [];
    for (const one of sides) made.push(await post("jobs", settingOf(one)));
    await Promise.all(sides.map((one, i) => {
      one.kept.replaceChildren();
      return one.run.follow(made[i].id, one.form.game);
    }));
    draw();
  }, problem);
  const axes = el("p", { class: "soft", hidden: true }, "A and B look for different things, so each has an axis of its own: A above, B below.");

  fill(root,
    el("div", { class: "row spread" }, el("h1", {}, "Compare"), button("Run both", start, { class: "primary", id: "start" })), problem,
    el("section", { class: "card", "aria-label": "The same for both" }, el("div", { class: "fields" },
      field("Tries of a run", budget.evaluations), field("Seconds of a run", budget.seconds), field("Runs", budget.count), field("Seed", budget.seed))),
    el("div", { class: "two" }, ...sides.map(({ name, form }) =>
      el("details", { class: "card", open: innerWidth > 960 }, el("summary", {}, el("strong", {}, `Recipe ${name.toUpperCase()}`)), form.element))),
    el("section", { class: "card" }, el("h2", {}, "Match"), axes, both.element, ...apart.map((curve) => curve.element), table),
    el("div", { class: "two" }, ...sides.map(({ name, run, kept }) =>
      el("section", { class: "stack", "aria-label": name.toUpperCase() }, el("h2", {}, name.toUpperCase()), run.element, kept))),
    experiments.length ? el("section", { class: "card" }, el("h2", {}, "Experiments"),
      el("ul", {}, ...experiments.map((name) => el("li", {}, el("a", { href: `/experiment/${encodeURIComponent(name)}` }, name))))) : null);
  draw();
}
