// What games have done in the background: generators, which yield how far they are.
import { chart } from "./binary/chart.js";
import { make as makeCave } from "./binary/make.js";
import { win as winLoderunner } from "./loderunner/win.js";
import { prove } from "./puzzlescript/prove.js";
import { make as makeSokoban } from "./sokoban/make.js";
import { rate } from "./sokoban/rate.js";
import { solve as solveSokoban } from "./sokoban/solve.js";

export const WORKS = {
  binary: { chart, make: makeCave }, loderunner: { win: winLoderunner }, puzzlescript: { prove },
  sokoban: { make: makeSokoban, rate, solve: solveSokoban },
};
