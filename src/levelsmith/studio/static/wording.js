// The words of the form for names of the library: of what makes levels, of its settings and what these may be.
import { words } from "./ui.js";

const MAKERS = { warehouse: "designed rooms", construct: "designed levels", remix: "variations of your levels", carve: "carved rooms" };
const CHOICES = { cluster: "close together", goalroom: "in a room of their own", groups: "in two groups", none: "not symmetric", mirror: "mirrored" };

/** Settings that stand in front of the form, whichever part they belong to, with their labels. */
export const FRONT = {
  boxes: "Boxes", style: "Style", mirrored: "Mirrored", form: "Goals", symmetry: "Symmetry", chamber: "Chamber size", loops: "Loops",
};

/** What makes levels, as people read it. */
export const makerName = (name) => MAKERS[name] ?? words(name);

/** The same for those who type its name elsewhere: `designed rooms (warehouse)`. */
export const makerAndName = (name) => (MAKERS[name] ? `${MAKERS[name]} (${name})` : name);

/** One of the values that a setting may have. */
export const choiceName = (name) => CHOICES[name] ?? words(String(name));
