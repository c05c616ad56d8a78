// What is seen of a game of Lode Runner: tiles, men between cells, bricks half dug or half filled.
import { inside, place } from "../../rules/cells.js";
import { GOLD, NUMBERS, REBORN } from "./rules/men.js";

const TILES = ["empty", "brick", "solid", "ladder", "rope", "gold", "brick", "empty"]; // traps and hidden ladders tell nothing
const SLOW = 2; // ticks that a guard glides: he makes a pace every second one at most
const STAGES = [[4, 0.75], [12, 0.5], [20, 0.25]]; // ticks before a hole fills, and how full it is seen then
const CARRIED = 0.5; // the size of gold that a guard has
const UNBORN = 0.4; // how much is seen of a guard who is not there yet

/** Shows a game; a tick takes so many milliseconds. */
export function showGame(board, game, milliseconds = 0) {
  const tiles = game.tile.map((row, y) => row.map((tile, x) => (isOpen(game, y, x) ? laidIn(tile) : TILES[tile])));
  const guards = game.guards.flatMap((guard, i) => {
    const man = thing(guard, `guard ${i}`, "enemy", SLOW * milliseconds);
    man.opacity = guard.mode === REBORN ? UNBORN : 1;
    return guard.count > 0 ? [man, { ...man, id: `gold ${i}`, kind: "gold", size: CARRIED }] : [man];
  });
  board.show(tiles, [...guards, thing(game.runner, "runner", "player", milliseconds)]);
}

/** A dug brick is open; gold may lie there none the less. */
const laidIn = (tile) => (tile === GOLD ? "gold" : "empty");

function isOpen(game, row, column) {
  const isDug = game.dig !== null && game.dig[0] === row && game.dig[1] === column;
  return isDug || game.isHole(row, column);
}

function thing(man, id, kind, milliseconds) {
  return { id, kind, row: man.row + man.dy / NUMBERS.height, col: man.column + man.dx / NUMBERS.width, milliseconds };
}

/** Draws what is left of a brick that is dug, and what has grown again of those that fill. */
export function drawBricks(context, side, board, game) {
  const brick = (row, col, share) => {
    const height = Math.round(side * share);
    context.save();
    context.beginPath();
    context.rect(col * side, (row + 1) * side - height, side, height);
    context.clip();
    board.sprites.tile(context, "brick", col * side, row * side, side);
    context.restore();
  };
  for (const [at, left] of game.holes) {
    const stage = STAGES.find(([ticks]) => left <= ticks);
    if (stage) brick(Math.floor(at / game.width), at % game.width, stage[1]);
  }
  if (game.dig) brick(game.dig[0], game.dig[1], 1 - game.dig[2] / NUMBERS.dig);
}

/** Shows a position while the enemies stand still. */
export function showStill(board, state, milliseconds = 0) {
  const tiles = Array.from({ length: state.board.height }, () => []);
  for (const at of inside(state.board)) {
    const tile = state.gold.has(at) ? "gold" : state.holes.has(at) ? "empty" : TILES[state.board.tiles[at]];
    tiles[place(state.board, at)[0]].push(tile);
  }
  const man = (id, kind, at) => {
    const [row, col] = place(state.board, at);
    return { id, kind, row, col, milliseconds };
  };
  const guards = state.enemies.map((at, i) => man(`guard ${i}`, "enemy", at));
  board.show(tiles, [...guards, man("runner", "player", state.runner)]);
}
