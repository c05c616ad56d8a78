// What a search is asked to do: as an object for the server, in the address of a page, and back.

const filled = (value) => value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && !value.length);
const TABLES = ["values", "ranges"];
const separator = (name) => (name === "lock" ? " " : ",");
const GAME = { name: "game", kind: "text" };

/** The setting in the query of an address: `want.pushes=20..30`, `set.hc.patience=3`, the rest by name.
 *  `fields` are those of the catalogue. */
export function fromQuery(fields, parameters, prefix = "") {
  const known = new Map([GAME, ...fields].map((field) => [field.name, field.kind]));
  const setting = {};
  for (const [key, value] of parameters) {
    if (!key.startsWith(prefix) || value === "") continue;
    const name = key.slice(prefix.length);
    const [table] = name.split(".", 1);
    const kind = known.get(table);
    if (table !== name) {
      if (TABLES.includes(kind)) setting[table] = { ...setting[table], [name.slice(table.length + 1)]: value };
    } else if (kind === "whole" || kind === "number") {
      if (Number.isFinite(Number(value))) setting[name] = Number(value);
    } else if (kind === "switch") setting[name] = value === "true";
    else if (kind === "texts") setting[name] = value.split(separator(name));
    else if (kind && !TABLES.includes(kind)) setting[name] = value;
  }
  return setting;
}

/** The same, as pairs of an address. */
export function toQuery(fields, setting, prefix = "") {
  const pairs = [];
  for (const { name, kind } of [GAME, ...fields]) {
    const value = setting[name];
    if (TABLES.includes(kind)) {
      for (const [key, each] of Object.entries(value ?? {})) if (filled(each)) pairs.push([`${prefix}${name}.${key}`, String(each)]);
    } else if (filled(value)) pairs.push([prefix + name, kind === "texts" ? value.join(separator(name)) : String(value)]);
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
