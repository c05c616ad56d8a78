// The form of a search: game, size, what to look for, how, and for how long.
import { button, el, field, select, words } from "./ui.js";
import { ends, range } from "./setting.js";

const SEEDS = 1e9;

/** @param changed is called after each change; `form.setting` is what the form says. */
export function settingForm(games, given, changed = () => {}) {
  const element = el("div", { class: "stack" });
  let setting = { ...given };
  let game;

  function set(name, value) {
    setting = { ...setting, [name]: value };
    changed();
  }

  function entry(name, attributes, label, hint) {
    const control = el("input", { value: setting[name] ?? "", ...attributes, onchange: () => {
      set(name, control.value === "" ? undefined : Number(control.value));
    } });
    return field(label, control, hint);
  }

  const shared = (key, items) => items.some((item) => item.name === key);
  const builds = () => shared(setting.search, game.generators); // no search: it knows no objective

  /** Another game keeps what it knows of the setting. */
  function choose(name) {
    game = games.find((one) => one.name === name) ?? games[0];
    const same = setting.game === game.name;
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
    return [field("Width", wide), field("Height", high)];
  }

  function objectives() {
    const names = game.objectives.map((one) => [one.name, words(one.name)]);
    const now = (setting.objective ?? []).join(",");
    if (now.includes(",")) names.push([now, now.split(",").map(words).join(" and ")]);
    const summary = game.objectives.find((one) => one.name === (now || game.defaults.objective))?.summary;
    return field("Look for", select([["", "the default"], ...names], now, (value) => {
      set("objective", value ? value.split(",") : undefined);
      draw();
    }), summary);
  }

  function named() {
    return game.wants.filter((want) => want.names.length).map((want) =>
      field(words(want.name).replace(/^./, (c) => c.toUpperCase()), select([["", "any"], ...want.names], setting.want?.[want.name] ?? "", (value) =>
        set("want", { ...setting.want, [want.name]: value || undefined }))));
  }

  function ranges() {
    const hidden = game.wants.filter((want) => want.names.length).map((want) => want.name);
    const asked = Object.entries(setting.want ?? {}).filter(([name, value]) => value !== undefined && !(hidden.includes(name) && !String(value).includes("..")));
    const rows = asked.map(([name, value]) => {
      const [low, high] = ends(value);
      const tell = () => set("want", { ...setting.want, [name]: range(lowest.value, highest.value) });
      const lowest = el("input", { type: "number", min: 0, step: "any", value: low, "aria-label": `least ${words(name)}`, placeholder: "least", onchange: tell });
      const highest = el("input", { type: "number", min: 0, step: "any", value: high, "aria-label": `most ${words(name)}`, placeholder: "most", onchange: tell });
      const remove = button("×", () => {
        const { [name]: _, ...rest } = setting.want;
        set("want", rest);
        draw();
      }, { class: "quiet icon", "aria-label": `Leave out ${words(name)}` });
      return el("div", { class: "range" }, el("span", {}, words(name)), lowest, highest, remove);
    });
    const free = game.wants.filter((want) => setting.want?.[want.name] === undefined);
    const add = select([["", "Add a range…"], ...free.map((want) => [want.name, words(want.name)])], "", (name) => {
      if (name) set("want", { ...setting.want, [name]: ".." });
      draw();
    });
    add.setAttribute("aria-label", "Add a range of a metric");
    return el("div", { class: "stack tight" }, ...rows, add);
  }

  function ways() {
    const search = setting.search ?? "";
    const needs = game.searches.find((one) => one.name === search)?.needs;
    const fitting = game.representations.filter((one) => !needs || one.offers.includes(needs));
    const all = [...game.searches, ...game.generators];
    const summary = all.find((one) => one.name === search)?.summary;
    return [
      field("Search", select([["", "the default"], ...all.map((one) => [one.name, one.name])], search, (value) => {
        if (shared(value, game.generators)) setting = { ...setting, seconds: undefined, until: undefined, keep_above: undefined, objective: undefined, representation: undefined };
        set("search", value || undefined);
        draw();
      }), summary),
      builds() ? null : field("Representation", select([["", "the default"], ...fitting.map((one) => one.name)], setting.representation ?? "", (value) => {
        set("representation", value || undefined);
        draw();
      })),
      game.presets.length ? field("Preset", select([["", "none"], ...game.presets.map((one) => one.name)], setting.preset ?? "", (value) => {
        set("preset", value || undefined);
        draw();
      }), game.presets.find((one) => one.name === setting.preset)?.summary) : null,
    ];
  }

  /** The parameters of the parts that are named. */
  function parameters() {
    const parts = [
      ...[...game.searches, ...game.generators].filter((one) => one.name === (setting.search ?? game.defaults.search)),
      ...builds() ? [] : game.representations.filter((one) => one.name === (setting.representation ?? game.defaults.representation)),
      ...builds() ? [] : game.objectives.filter((one) => (setting.objective ?? [game.defaults.objective]).includes(one.name)),
    ];
    return parts.flatMap((part) => part.parameters.filter((one) => one.name !== "model").map((one) => {
      const key = `${part.name}.${one.name}`;
      const value = setting.set?.[key] ?? "";
      const tell = (text) => {
        const { [key]: _, ...rest } = setting.set ?? {};
        set("set", text === "" ? rest : { ...rest, [key]: text });
      };
      const choices = typeof one.default === "boolean" ? ["true", "false"] : one.choices;
      const shown = typeof one.default === "boolean" || choices.length ? `default (${one.default})` : null;
      const control = choices.length
        ? select([["", shown], ...choices], String(value), tell)
        : el("input", { value, placeholder: one.default, onchange: () => tell(control.value.trim()) });
      return field(`${words(part.name)}: ${words(one.name)}`, control, one.summary);
    }));
  }

  function draw() {
    const open = element.querySelector("details")?.open;
    const more = el("details", { open }, el("summary", {}, "How it searches"),
      el("div", { class: "stack tight" },
        el("div", { class: "fields" }, ...ways()),
        builds() ? null : el("div", { class: "fields" },
          entry("until", { type: "number", step: "any" }, "Stop at a score of"),
          entry("keep_above", { type: "number", step: "any" }, "Keep all above a score of")),
        el("div", { class: "fields" }, ...parameters())));
    element.replaceChildren(
      el("div", { class: "fields" },
        el("div", { class: "whole" }, field("Game", select(games.filter((one) => one.objectives.length || one.generators.length).map((one) => one.name), game.name, (name) => { choose(name); changed(); }), game.summary)),
        ...sizes()),
      el("div", { class: "fields" }, builds() ? null : el("div", { class: "whole" }, objectives()), ...named()),
      ranges(),
      el("div", { class: "fields" },
        entry("seconds", { type: "number", min: 0.1, step: "any", placeholder: "no limit" }, "Seconds"),
        entry("evaluations", { type: "number", min: 1, placeholder: setting.seconds ? "no limit" : "50000" }, "Evaluations"),
        entry("count", { type: "number", min: 1, placeholder: "1" }, "Levels"),
        entry("seed", { type: "number", min: 0, placeholder: "a new one" }, "Seed")),
      more);
  }

  choose(setting.game);
  return {
    element,
    get game() { return game; },
    get setting() {
      const want = Object.fromEntries(Object.entries(setting.want ?? {}).filter(([, value]) => value && value !== ".."));
      return JSON.parse(JSON.stringify({ ...setting, game: game.name, want }));
    },
    replace(next) {
      setting = { ...next };
      choose(next.game);
    },
  };
}

export const freshSeed = () => Math.floor(Math.random() * SEEDS);
