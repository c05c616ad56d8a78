// What a search is asked to do: as an object for the server, in the address of a page, and back.

const NUMBERS = ["evaluations", "seconds", "seed", "count", "until", "keep_above", "keep_most", "skip"];
const LISTS = ["objective", "lock"];
const WORDS = ["game", "size", "search", "representation", "combine", "preset", "start", "ramp"];

const filled = (value) => value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && !value.length);

/** The setting in the query of an address: `want.pushes=20..30`, `set.hc.patience=3`, the rest by name. */
export function fromQuery(parameters, prefix = "") {
  const setting = {};
  for (const [key, value] of parameters) {
    if (!key.startsWith(prefix) || value === "") continue;
    const name = key.slice(prefix.length);
    if (WORDS.includes(name)) setting[name] = value;
    else if (NUMBERS.includes(name) && Number.isFinite(Number(value))) setting[name] = Number(value);
    else if (LISTS.includes(name)) setting[name] = value.split(name === "lock" ? " " : ",");
    else if (/^(want|set)\../.test(name)) {
      const [kind] = name.split(".", 1);
      setting[kind] = { ...setting[kind], [name.slice(kind.length + 1)]: value };
    }
  }
  return setting;
}

/** The same, as pairs of an address. */
export function toQuery(setting, prefix = "") {
  const pairs = [];
  for (const name of [...WORDS, ...NUMBERS]) {
    if (filled(setting[name])) pairs.push([prefix + name, String(setting[name])]);
  }
  for (const name of LISTS) {
    if (filled(setting[name])) pairs.push([prefix + name, setting[name].join(name === "lock" ? " " : ",")]);
  }
  for (const kind of ["want", "set"]) {
    for (const [name, value] of Object.entries(setting[kind] ?? {})) {
      if (filled(value)) pairs.push([`${prefix}${kind}.${name}`, String(value)]);
    }
  }
  return pairs;
}

/** A range as it is written: 20..30, 8.., ..5; empty where neither end is set. */
export function range(low, high) {
  return low === "" && high === "" ? "" : `${low}..${high}`;
}

export function ends(text) {
  const [low, high] = String(text).includes("..") ? String(text).split("..") : [text, text];
  return [low ?? "", high ?? ""];
}
