// Compare: two settings side by side on the same budget.
import { catalogue, get, post } from "../api.js";
import { levelCard } from "../cards.js";
import { Curve } from "../curve.js";
import { freshSeed, settingForm } from "../form.js";
import { ENDED, runPanel } from "../run.js";
import { fromQuery, toQuery } from "../setting.js";
import { button, el, field, fill, guarded, number } from "../ui.js";

export const title = "Compare";
const SIDES = ["a", "b"];
const START = { a: { game: "binary", search: "hc" }, b: { game: "binary", search: "ga", representation: "wide" } };
const BUDGET = { evaluations: 20000, count: 3 };

export default async function page(root, parameters) {
  const [{ games }, { experiments }] = await Promise.all([catalogue(), get("experiments")]);
  const both = new Curve("Score over evaluations of both");
  const sides = SIDES.map((name) => side(name));
  const shared = { ...BUDGET, ...fromQuery(parameters) };
  const budget = Object.fromEntries(["evaluations", "seconds", "count", "seed"].map((name) => [name,
    el("input", { type: "number", min: 0, step: name === "seconds" ? "any" : 1, value: shared[name] ?? "", onchange: remember })]));
  const table = el("div", { class: "scroll" });

  function side(name) {
    const given = fromQuery(parameters, `${name}.`);
    const form = settingForm(games, given.game ? given : START[name], remember);
    form.element.classList.add("no-budget");
    const kept = el("div", { class: "cards small" });
    const run = runPanel({ level: (level) => kept.append(levelCard(level)), moved: draw, ended: draw });
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
      return toQuery(rest, `${name}.`);
    });
    history.replaceState(null, "", `/compare?${new URLSearchParams([...toQuery(common()), ...pairs])}`);
  }

  function draw() {
    both.show(Object.fromEntries(sides.map(({ name, run }) => [name.toUpperCase(), run.history])));
    const rows = [["score", (run) => number(run.history.at(-1)?.[2])], ["evaluations", (run) => number(run.history.at(-1)?.[0])],
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
  });

  fill(root,
    el("div", { class: "row spread" }, el("h1", {}, "Compare"), button("Run both", start, { class: "primary", id: "start" })),
    el("section", { class: "card", "aria-label": "The same for both" }, el("div", { class: "fields" },
      field("Evaluations of a run", budget.evaluations), field("Seconds of a run", budget.seconds), field("Runs", budget.count), field("Seed", budget.seed))),
    el("div", { class: "two" }, ...sides.map(({ name, form }) =>
      el("details", { class: "card", open: innerWidth > 960 }, el("summary", {}, el("strong", {}, `Setting ${name.toUpperCase()}`)), form.element))),
    el("section", { class: "card" }, el("h2", {}, "Scores"), both.element, table),
    el("div", { class: "two" }, ...sides.map(({ name, run, kept }) =>
      el("section", { class: "stack", "aria-label": name.toUpperCase() }, el("h2", {}, name.toUpperCase()), run.element, kept))),
    experiments.length ? el("section", { class: "card" }, el("h2", {}, "Experiments"),
      el("ul", {}, ...experiments.map((name) => el("li", {}, el("a", { href: `/experiment/${encodeURIComponent(name)}` }, name))))) : null);
  draw();
}
