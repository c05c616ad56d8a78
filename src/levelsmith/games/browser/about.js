// What pages know of games before a server answers: `NAME`, `METRICS` by the words of people, a `SAMPLE` of a level.
import * as binary from "./binary/about.js";
import * as loderunner from "./loderunner/about.js";
import * as sokoban from "./sokoban/about.js";

export const ABOUT = { sokoban, loderunner, binary };
