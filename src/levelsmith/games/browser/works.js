// What games have done in the background: generators, which yield how far they are.
import { win as winLoderunner } from "./loderunner/win.js";
import { solve as solveSokoban } from "./sokoban/solve.js";

export const WORKS = { sokoban: { solve: solveSokoban }, loderunner: { win: winLoderunner } };
