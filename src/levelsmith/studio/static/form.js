// The form of a search: in front what a designer asks for, behind it what searches can be told besides.
import { post } from "./api.js";
import { button, capital, debounce, el, field, gameName, guarded, select, words } from "./ui.js";
import { ends, range } from "./setting.js";
import { choiceName, FRONT, makerAndName } from "./wording.js";

const SEEDS = 1e9;
const RISING = "difficulty"; // the measure that levels may go through from easy to hard
const FRONT_FIELDS = ["size", "ramp", "count", "seed", "seconds", "within"]; // with controls of their own, as have
const RESEARCH = ["objective", "search", "representation", "preset", "evaluations", "until", "keep_above"];
const PLAIN = ["text", "whole", "number", "switch"]; // kinds of fields that need no control of their own

/** @param fields are those of the catalogue; `changed` is called after each change; `form.setting` is what the form
 * says; `told(answer)` hears what the studio would run, and why it would not. */
export function settingForm(games, given, { fields, changed = () => {}, told = () => {} } = {}) {
  const element = el("div", { class: "stack" });
  const labels = new Map(fields.map((one) => [one.name, one.label]));
  let setting = { ...given };
  let game;
  let plan = null; // what would run, as the studio last said
  let touched = false; // by a person; what came in an address is refused by name where it does not fit

  function set(name, value) {
    setting = { ...setting, [name]: value };
    touched = true;
    changed();
    ask();
  }

  /** What would run: its parts are those whose parameters are shown. */
  const ask = debounce(guarded(async () => {
    const answer = await post("jobs/preview", self.setting);
    if (answer.error && setting.set && touched) {
      const bare = await post("jobs/preview", { ...self.setting, set: undefined });
      const parts = bare.plan ? partsOf(bare.plan) : [];
      const kept = Object.entries(setting.set).filter(([key]) => parts.includes(key.split(".")[0]));
      if (bare.plan && kept.length < Object.keys(setting.set).length) {
        setting = { ...setting, set: Object.fromEntries(kept) }; // of parts that no longer run
        changed();
        ask();
        return;
      }
    }
    if (answer.plan && String(partsOf(answer.plan)) !== String(plan && partsOf(plan))) {
      plan = answer.plan;
      draw();
    }
    told(answer);
  }), 250);
  const partsOf = ({ search, representation, objective }) => [search, representation, ...objective];

  function entry(name, attributes, hint, kind = "") {
    const control = el("input", { value: setting[name] ?? "", ...attributes, onchange: () => {
      set(name, control.value === "" ? undefined : Number(control.value));
    } });
    return field(labels.get(name), control, hint, kind);
  }

  const shared = (key, items) => items.some((item) => item.name === key);
  const builds = () => shared(setting.search, game.generators); // no search: it knows no objective

  /** Another game keeps what it knows of the setting. */
  function choose(name) {
    game = games.find((one) => one.name === name) ?? games[0];
    const same = setting.game === game.name;
    plan = same ? plan : null;
    setting = same ? setting : { game: game.name, evaluations: setting.evaluations, seconds: setting.seconds, seed: setting.seed, count: setting.count };
    draw();
  }

  function sizes() {
    const [width, height] = (setting.size ?? game.sizes.default).split("x");
    const [least, most] = [game.sizes.least.split("x"), game.sizes.most.split("x")];
    const control = (i, value) => el("input", { type: "number", min: least[i], max: most[i], value, onchange: () => {
      set("size", `${wide.value}x${high.value}`);
    } });
    const wide = control(0, width);
    const high = control(1, height);
    const most_ = game.border ? "at most, inside the walls" : null;
    return [field("Width", wide, most_), field("Height", high, most_)];
  }

  const usual = (name) => (name ? `the default: ${makerAndName(name)}` : "the default");

  function objectives() {
    const names = game.objectives.map((one) => [one.name, words(one.name)]);
    const now = (setting.objective ?? []).join(",");
    if (now.includes(",")) names.push([now, now.split(",").map(words).join(" and ")]);
    const summary = game.objectives.find((one) => one.name === (now || game.defaults.objective))?.summary;
    return field(labels.get("objective"), select([["", usual(game.defaults.objective)], ...names], now, (value) => {
      set("objective", value ? value.split(",") : undefined);
      draw();
    }), summary);
  }

  /** The names that a measure is asked for by, [from, to]; null where its range is one of numbers. */
  function namesOf(want) {
    const value = setting.want?.[want.name] ?? "";
    const [from, to] = value === "" ? ["", ""] : ends(value);
    return [from, to].every((name) => name === "" || want.names.includes(name)) ? [from, to] : null;
  }

  function named() {
    return game.wants.filter((want) => want.names.length).flatMap((want) => {
      const [from, to] = namesOf(want) ?? ["", ""];
      const tell = (low, high) => {
        const same = !high || high === low;
        const { ramp, ...rest } = setting;
        setting = ramp === want.name ? rest : setting;
        if (!same) setting = { ...setting, ramp: want.name };
        set("want", { ...setting.want, [want.name]: same ? low || undefined : `${low}..${high}` });
        draw();
      };
      const place = (name) => want.names.indexOf(name);
      const first = field(capital(words(want.name)), select([["", "any"], ...want.names], from, (low) => tell(low, low && place(to) > place(low) ? to : "")));
      if (want.name !== RISING) return [first];
      const later = from ? want.names.slice(place(from) + 1) : [];
      return [first, field(labels.get("ramp"), select([["", "the same"], ...later], to === from ? "" : to, (high) => tell(from, high)))];
    });
  }

  function ranges() {
    const hidden = game.wants.filter((want) => want.names.length && namesOf(want)).map((want) => want.name);
    const asked = Object.entries(setting.want ?? {}).filter(([name, value]) => value !== undefined && !hidden.includes(name));
    const rows = asked.map(([name, value]) => {
      const [low, high] = ends(value);
      const tell = () => set("want", { ...setting.want, [name]: range(lowest.value, highest.value) });
      const lowest = el("input", { type: "number", min: 0, step: "any", value: low, "aria-label": `least ${words(name)}`, placeholder: "from", onchange: tell });
      const highest = el("input", { type: "number", min: 0, step: "any", value: high, "aria-label": `most ${words(name)}`, placeholder: "to", onchange: tell });
      const remove = button("×", () => {
        const { [name]: _, ...rest } = setting.want;
        set("want", rest);
        draw();
      }, { class: "quiet icon", "aria-label": `Leave out ${words(name)}` });
      return el("div", { class: "range" }, el("span", {}, words(name)), lowest, highest, remove);
    });
    const free = game.wants.filter((want) => setting.want?.[want.name] === undefined);
    const add = select([["", "Add a condition…"], ...free.map((want) => [want.name, words(want.name)])], "", (name) => {
      if (name) set("want", { ...setting.want, [name]: ".." });
      draw();
    });
    add.setAttribute("aria-label", "Add a condition");
    return el("div", { class: "stack tight" }, ...rows, add);
  }

  function ways() {
    const search = setting.search ?? "";
    const needs = game.searches.find((one) => one.name === search)?.needs;
    const fitting = game.representations.filter((one) => !needs || one.offers.includes(needs));
    const all = [...game.searches, ...game.generators];
    const summary = all.find((one) => one.name === search)?.summary;
    return [
      field(labels.get("search"), select([["", usual(search ? null : plan?.search)], ...all.map((one) => [one.name, makerAndName(one.name)])], search, (value) => {
        if (shared(value, game.generators)) setting = { ...setting, seconds: undefined, until: undefined, keep_above: undefined, objective: undefined, representation: undefined, combine: undefined };
        set("search", value || undefined);
        draw();
      }), summary),
      builds() ? null : field(labels.get("representation"), select([["", usual(setting.representation ? null : plan?.representation)], ...fitting.map((one) => one.name)], setting.representation ?? "", (value) => {
        set("representation", value || undefined);
        draw();
      })),
      game.presets.length ? field(labels.get("preset"), select([["", "none"], ...game.presets.map((one) => one.name)], setting.preset ?? "", (value) => {
        set("preset", value || undefined);
        draw();
      }), game.presets.find((one) => one.name === setting.preset)?.summary) : null,
    ];
  }

  /** What else may be asked for of this game. */
  const others = () => fields.filter(({ name, kind }) => PLAIN.includes(kind) && ![...FRONT_FIELDS, ...RESEARCH, ...game.without].includes(name));

  function other({ name, kind, label, help, choices, default: usual }) {
    const offered = kind === "switch" ? ["true", "false"] : choices;
    const tell = (text) => set(name, text === "" ? undefined : { text, switch: text === "true" }[kind] ?? Number(text));
    const control = offered.length
      ? select([["", "the default"], ...offered.map((one) => [one, choiceName(one)])], String(setting[name] ?? ""), tell)
      : el("input", { type: kind === "text" ? "text" : "number", value: setting[name] ?? "", placeholder: usual ?? "", onchange: () => tell(control.value) });
    return field(label, control, help);
  }

  /** The settings of the parts that will run, and of no others: those in front, and the rest. */
  function parameters() {
    if (!plan) return [[], []];
    const parts = [
      ...[...game.searches, ...game.generators].filter((one) => one.name === plan.search),
      ...game.representations.filter((one) => one.name === plan.representation),
      ...game.objectives.filter((one) => plan.objective.includes(one.name)),
    ];
    const all = parts.flatMap((part) => part.parameters.filter((one) => one.name !== "model").map((one) => [part, one]));
    const [front, rest] = [true, false].map((wanted) => all.filter(([, one]) => Object.hasOwn(FRONT, one.name) === wanted));
    return [front.map(([part, one]) => parameter(part, one, FRONT[one.name])),
      rest.map(([part, one]) => parameter(part, one, `${words(part.name)}: ${words(one.name)}`))];
  }

  function parameter(part, one, label) {
    const [key] = [`${part.name}.${one.name}`, one.name].filter((name) => setting.set?.[name] !== undefined).concat(`${part.name}.${one.name}`);
    const value = setting.set?.[key] ?? "";
    const tell = (text) => {
      const { [key]: _, ...rest } = setting.set ?? {};
      set("set", text === "" ? rest : { ...rest, [key]: text });
    };
    const choices = typeof one.default === "boolean" ? ["true", "false"] : one.choices;
    const shown = choices.includes(one.default) ? choices.filter((name) => name !== one.default) : choices;
    const control = choices.length
      ? select([["", choiceName(one.default)], ...shown.map((name) => [name, choiceName(name)])], String(value), tell)
      : el("input", { value, placeholder: one.default, onchange: () => tell(control.value.trim()) });
    return field(label, control, one.summary);
  }

  /** Whether something is asked for that only the closed part of the form shows. */
  function researched() {
    const front = (key) => Object.hasOwn(FRONT, key.split(".").at(-1));
    const numbers = game.wants.some((want) => ![undefined, ""].includes(setting.want?.[want.name]) && !(want.names.length && namesOf(want)));
    return [...RESEARCH, ...others().map(({ name }) => name)].some((name) => setting[name] !== undefined) || numbers || Object.keys(setting.set ?? {}).some((key) => !front(key));
  }

  function draw() {
    const open = element.querySelector("details")?.open ?? researched();
    const [front, rest] = parameters();
    const more = el("details", { open }, el("summary", {}, "For researchers"),
      el("div", { class: "stack tight" },
        el("div", { class: "fields" }, builds() ? null : el("div", { class: "whole" }, objectives())),
        ranges(),
        el("div", { class: "fields" }, ...ways()),
        el("div", { class: "fields" },
          entry("evaluations", { type: "number", min: 1, placeholder: setting.seconds ? "no limit" : "50000" }, null, "budget"),
          ...(builds() ? [] : [
            entry("until", { type: "number", step: "any" }, "from 0 to 1, which is all of it"),
            entry("keep_above", { type: "number", step: "any" }, "from 0 to 1")])),
        el("div", { class: "fields" }, ...others().map(other)),
        el("div", { class: "fields" }, ...rest)));
    element.replaceChildren(
      el("div", { class: "fields" },
        el("div", { class: "whole" }, field("Game", select(games.filter((one) => one.objectives.length || one.generators.length).map((one) => [one.name, gameName(one.name)]), game.name, (name) => { choose(name); set("game", game.name); }), game.summary)),
        ...sizes(), ...named(), ...front),
      el("div", { class: "fields budget" },
        entry("count", { type: "number", min: 1, placeholder: "1" }),
        entry("seed", { type: "number", min: 0, placeholder: "a new one" }),
        ...["seconds", "within"].map((name) => entry(name, { type: "number", min: 0.1, step: "any", placeholder: "no limit" }))),
      more);
  }

  const self = {
    element,
    get game() { return game; },
    get setting() {
      const want = Object.fromEntries(Object.entries(setting.want ?? {}).filter(([, value]) => value && value !== ".."));
      return JSON.parse(JSON.stringify({ ...setting, game: game.name, want }));
    },
  };
  choose(setting.game);
  ask();
  return self;
}

export const freshSeed = () => Math.floor(Math.random() * SEEDS);
