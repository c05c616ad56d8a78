// The longest way of a map, for the page where it is drawn.
import { longest, parse } from "./rules.js";

export const path = (text) => longest(parse(text));
