// The tiles, the men and the numbers of Lode Runner, as games/loderunner/rules/men.py has them.
import { table } from "../../../rules/cells.js";

export const [EMPTY, BRICK, SOLID, LADDER, ROPE, GOLD, TRAP, HIDDEN, RUNNER, GUARD] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
export const SYMBOLS = table([". ", "b", "B", "#", "-", "G", "t", "h", "M", "E"]);
export const [FREE, HOLE, CLIMB, REBORN] = ["free", "hole", "climb", "reborn"]; // how a guard is
export const [PLAYING, WON, DEAD] = ["playing", "won", "dead"];

export const isHard = (tile) => tile === BRICK || tile === SOLID;
export const isFloor = (tile) => isHard(tile) || tile === LADDER; // what carries, in `tile`

/** Units are of a place in a cell; a cell takes 5 ticks. */
export const NUMBERS = {
  height: 44, // units of a cell
  width: 40,
  climb: 9, // units of a pace up or down
  walk: 8, // and to a side
  touchY: 11, // gold is touched less far from the middle than this
  touchX: 10,
  catchY: 33, // a guard beside the runner catches him up to here
  catchX: 30,
  dig: 11, // ticks from the key to the hole
  cancelled: 8, // in the first of them a guard beside the runner stops the dig
  open: 186, // ticks that a hole is open
  trapped: 66, // ticks that a guard stays in a hole
  born: 8, // ticks until one who was killed is there again
  carried: 12, // middles of cells that gold is carried for, at least
  carriedMore: 26, // and up to so many more
};

/** A place: a cell, and the offset from its middle. */
export class Man {
  dy = 0;
  dx = 0;

  constructor(row, column) {
    this.row = row;
    this.column = column;
  }

  isAt(row, column) {
    return this.row === row && this.column === column;
  }
}

/** A guard: how he is, the gold he has, and how long he waits.
 * `count` is 0 without gold, above 0 the middles of cells until he lays it down, and -1 right after that. */
export class Guard extends Man {
  mode = FREE;
  count = 0;
  wait = 0;
  hole = [0, 0]; // that he climbs out of
}
