// The first page: what there is, what runs, and where to begin.
import { catalogue, get, query } from "../api.js";
import { levelCard } from "../cards.js";
import { toQuery } from "../setting.js";
import { makerName } from "../wording.js";
import { compact, el, empty, fill, gameName, number, plural } from "../ui.js";

export const title = "Studio";
const BEGIN = [
  ["A Sokoban puzzle", "Made to be enjoyed, and solved before you see it.", { game: "sokoban", seconds: 10 }],
  ["A hard Sokoban puzzle", "Changed step by step until it takes some thought.", { game: "sokoban", seconds: 20, want: { difficulty: "hard" } }],
  ["A cave with a long way", "A cave whose entry and exit are far apart.", { game: "binary", size: "20x14", seconds: 5 }],
  ["Lode Runner levels", "Built, furnished, and won against the guards.", { game: "loderunner", count: 4 }],
  ["PuzzleScript", "Open your own game: play it, solve it, draw and make new levels.", null],
];

export default async function page(root) {
  const [{ version, fields }, { levels, total }, { jobs }, { experiments }] = await Promise.all([
    catalogue(), get("levels?limit=6"), get("jobs?limit=6"), get("experiments")]);
  const link = (setting) => `/generate?${new URLSearchParams(toQuery(fields, setting))}`;
  const newest = el("section", { class: "stack" },
    el("div", { class: "row spread" }, el("h2", {}, "Newest levels"), el("a", { href: "/gallery" }, plural(total, "level"))),
    levels.length ? el("div", { class: "cards" }, ...levels.map((level) => levelCard(level, { list: { sort: "-id" } })))
      : empty("Nothing here yet: begin with one of the above, draw a level, or drop level files here.", el("a", { class: "button", href: "/edit" }, "Draw a level")));
  fill(root,
    el("section", { class: "hero" }, el("h1", {}, "Levels to play"),
      el("p", { class: "soft" }, `Have them made, draw them, play them, share them: all on this machine. levelsmith ${version}`)),
    levels.length ? newest : null,
    el("div", { class: "cards starts" }, ...BEGIN.map(([name, told, setting]) =>
      el("a", { class: "card start", href: setting ? link(setting) : "/script" }, el("strong", {}, name), el("span", { class: "soft" }, told)))),
    levels.length ? null : newest,
    jobs.length ? el("section", { class: "card" }, el("h2", {}, "What was asked for"), jobTable(jobs, fields)) : null,
    experiments.length ? el("section", { class: "card" }, el("h2", {}, "Experiments"),
      el("ul", {}, ...experiments.map((name) => el("li", {}, el("a", { href: `/experiment/${encodeURIComponent(name)}` }, name))))) : null);
}

function jobTable(jobs, fields) {
  const cells = (job) => [
    el("a", { href: `/generate?${new URLSearchParams([...toQuery(fields, job.setting), ["job", job.id]])}` }, `${gameName(job.setting.game)} ${job.plan.size}`),
    makerName(job.plan.search), job.state === "done" && job.error ? (job.made ? `${number(job.made)} of ${number(job.setting.count ?? 1)}` : "nothing found") : job.state, compact(job.evaluations),
    el("a", { href: `/gallery${query({ job: job.id })}` }, "levels"),
  ];
  return el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ...["Levels of", "made by", "state", "tries", ""].map((name) => el("th", {}, name)))),
    el("tbody", {}, ...jobs.map((job) => el("tr", {}, ...cells(job).map((cell) => el("td", {}, cell)))))));
}
