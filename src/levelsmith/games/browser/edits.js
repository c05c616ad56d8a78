// What games bring to the page where levels are drawn: `begins` names the tile of a cell to begin with, `lacks` and
// `solved` tell of a level, `prove` solves it here, `path` finds the way to draw over it, which `ready` makes ready for,
// and `card` stands beside it.
import * as binary from "./binary/edit.js";
import * as loderunner from "./loderunner/edit.js";
import * as puzzlescript from "./puzzlescript/edit.js";
import * as sokoban from "./sokoban/edit.js";

export const EDITS = { sokoban, loderunner, binary, puzzlescript };
