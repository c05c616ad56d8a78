// What plays the levels of each game on a page; those of any other are shown as films.
import { play as playCave } from "./binary/play.js";
import { play as playLoderunner } from "./loderunner/play.js";
import { play as playPuzzle } from "./puzzlescript/play.js";
import { play as playSokoban } from "./sokoban/play.js";

export const PLAYS = { sokoban: playSokoban, loderunner: playLoderunner, binary: playCave, puzzlescript: playPuzzle };
