// Which way a guard goes, as games/loderunner/rules/ways.py has it: he looks anew each time, and searches for no path.
import { EMPTY, GOLD, GUARD, HIDDEN, LADDER, ROPE, isFloor, isHard } from "./men.js";

/** Which way he goes, as [down, right], or null where he stands still. */
export function choice(game, guard) {
  const { runner } = game;
  if (guard.row === runner.row && !game.falling && walksThrough(game, guard)) {
    const isLeft = guard.column === runner.column ? guard.dx < runner.dx : guard.column < runner.column;
    return [0, isLeft ? 1 : -1];
  }
  return scan(game, guard);
}

/** Whether there is footing from his cell to the one before the runner's; walls are not seen. */
function walksThrough(game, guard) {
  const step = game.runner.column > guard.column ? 1 : -1;
  for (let column = guard.column; column !== game.runner.column; column += step) {
    if (!hasFooting(game, guard.row, column)) return false;
  }
  return true;
}

function hasFooting(game, row, column) {
  const below = game.tileAt(row + 1, column);
  return [LADDER, ROPE].includes(game.tile[row][column]) || isFloor(below) || below === ROPE || below === GOLD
    || game.nowAt(row + 1, column) === GUARD;
}

/** Looks up and down from every cell of his floor, and takes the way to the best of what he sees. */
function scan(game, guard) {
  const { row, column } = guard;
  let [way, least] = [null, Infinity];
  const look = (end, from, towards) => {
    if (end === null) return;
    const worth = value(game, guard, end, from);
    if (worth < least) [way, least] = [towards, worth];
  };
  const bothWays = (from, down, up) => {
    look(lookDown(game, row, from), from, down);
    look(lookUp(game, row, from), from, up);
  };
  bothWays(column, [1, 0], [-1, 0]);
  for (let from = endOfFloor(game, guard, -1); from < column; from++) bothWays(from, [0, -1], [0, -1]);
  for (let from = endOfFloor(game, guard, 1); from > column; from--) bothWays(from, [0, 1], [0, 1]);
  return way;
}

function endOfFloor(game, { row, column }, side) {
  while (!isHard(game.nowAt(row, column + side))) {
    column += side;
    if (![LADDER, ROPE].includes(game.nowAt(row, column)) && !isFloor(game.tileAt(row + 1, column))) break;
  }
  return column;
}

/** The row where a look down ends, or null where there is none. */
function lookDown(game, row, column) {
  if (isHard(game.tileAt(row + 1, column))) return null;
  for (; !isHard(game.tileAt(row + 1, column)); row++) {
    const isBare = [EMPTY, HIDDEN].includes(game.tile[row][column]);
    if (row >= game.runner.row && !isBare && hasSideExit(game, row, column)) break;
  }
  return row;
}

function lookUp(game, row, column) {
  if (game.tile[row][column] !== LADDER) return null;
  while (row > 0 && game.tile[row][column] === LADDER) {
    row -= 1;
    if (row <= game.runner.row && hasSideExit(game, row, column)) break;
  }
  return row;
}

function hasSideExit(game, row, column) {
  return [column - 1, column + 1].some((x) => game.isInside(row, x)
    && (isFloor(game.tileAt(row + 1, x)) || game.tile[row][x] === ROPE));
}

function value(game, guard, row, column) {
  if (row === game.runner.row) return Math.abs(column - guard.column);
  return row < game.runner.row ? 100 + game.runner.row - row : 200 + row - game.runner.row;
}
