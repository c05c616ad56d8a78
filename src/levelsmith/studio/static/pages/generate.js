// Generate: say what to look for, watch the search, take what it finds.
import { catalogue, get, post, query } from "../api.js";
import { insertCard, levelCard } from "../cards.js";
import { freshSeed, settingForm } from "../form.js";
import { runPanel } from "../run.js";
import { fromQuery, toQuery } from "../setting.js";
import { button, copy, el, guarded, problemLine, toast } from "../ui.js";

export const title = "Generate";
const START = { game: "sokoban", seconds: 10 };

export default async function page(root, parameters) {
  const { games, fields } = await catalogue();
  const given = fromQuery(fields, parameters);
  const form = settingForm(games, Object.keys(given).length ? given : START, { fields, changed: () => remember(), told });
  const kept = el("div", { class: "cards", "aria-live": "polite" });
  const heading = el("h2", { hidden: true }, "Levels");
  const run = runPanel({
    level(level) {
      heading.hidden = false;
      insertCard(kept, levelCard(level, { list: { job: level.job ?? run.job.id, sort: "id" } }));
    },
  });
  const command = el("pre", { class: "wrap" });
  const python = el("pre");
  const problem = problemLine();

  /** The address says the whole setting, and which job of it is watched. */
  function remember(job) {
    history.replaceState(null, "", `/generate?${new URLSearchParams([...toQuery(fields, form.setting), ...(job ? [["job", job]] : [])])}`);
  }

  function told(answer) {
    command.textContent = answer.command;
    python.textContent = answer.python;
    problem.tell(answer.error);
  }

  const start = guarded(async () => {
    const setting = form.setting;
    if (setting.seed === undefined) setting.seed = freshSeed();
    const { id } = await post("jobs", setting);
    kept.replaceChildren();
    heading.hidden = true;
    remember(id);
    await run.follow(id, form.game);
    run.element.scrollIntoView({ block: "nearest" });
  }, problem);

  const link = guarded(async () => {
    const setting = { ...form.setting, seed: run.job?.setting.seed ?? form.setting.seed ?? freshSeed() };
    await copy(`${location.origin}/generate?${new URLSearchParams(toQuery(fields, setting))}`, "The link is copied");
  });

  root.replaceChildren(
    el("h1", { class: "unseen" }, "Generate"),
    el("div", { class: "work form-first" },
      el("section", { class: "card", "aria-label": "Setting" },
        form.element,
        el("div", { class: "actions" }, problem,
          el("div", { class: "row" }, button("Generate", start, { class: "primary", id: "start" }), button("Copy link", link))),
        el("details", {}, el("summary", {}, "As a command, as Python"),
          el("div", { class: "stack tight" }, command, button("Copy as command", () => copy(command.textContent, "The command is copied")),
            python, button("Copy as Python", () => copy(python.textContent, "The Python is copied"))))),
      el("div", { class: "stack" }, run.element, heading, kept)));

  const job = parameters.get("job");
  if (job) {
    try {
      const told = await get(`jobs/${encodeURIComponent(job)}`);
      if (told.setting.game === form.game.name) await run.follow(told.id, form.game);
    } catch (error) {
      toast(error.message);
    }
  }
}
