// What is seen of a game of Lode Runner: tiles, men between cells, bricks half dug or half filled.
import { inside, place } from "../../rules/cells.js";

const TILES = ["empty", "brick", "solid", "ladder", "rope", "gold", "brick", "empty"]; // traps and hidden ladders tell nothing
const STILL = [...TILES.slice(0, 6), "empty", "empty", "brick", "empty"]; // of a level: enemy, player, trap, escape
const SLOW = 2; // ticks that a guard glides: he makes a pace every second one at most
const STAGES = [[4, 0.75], [12, 0.5], [20, 0.25]]; // ticks before a hole fills, and how full it is seen then
const CARRIED = 0.5; // the size of gold that a guard has
const UNBORN = 0.4; // how much is seen of a guard who is not there yet

/** Shows a game; a tick takes so many milliseconds. */
export function showGame(board, game, milliseconds = 0) {
  const { CELL_HEIGHT, CELL_WIDTH } = game.numbers;
  const thing = ({ row, column, dy, dx }, id, kind, slow = 1) =>
    ({ id, kind, row: row + dy / CELL_HEIGHT, col: column + dx / CELL_WIDTH, milliseconds: slow * milliseconds });
  const tiles = game.tiles.map((row) => row.map((tile) => TILES[tile]));
  for (const [row, column] of [...game.holes, ...(game.dig ? [game.dig] : [])]) {
    if (tiles[row][column] !== "gold") tiles[row][column] = "empty"; // gold may lie in a hole
  }
  const guards = game.guards.flatMap((guard, i) => {
    const man = thing(guard, `guard ${i}`, "enemy", SLOW);
    man.opacity = guard.mode === "reborn" ? UNBORN : 1;
    return guard.count > 0 ? [man, { ...man, id: `gold ${i}`, kind: "gold", size: CARRIED }] : [man];
  });
  board.show(tiles, [...guards, thing(game.runner, "runner", "player")]);
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
  for (const [row, column, left] of game.holes) {
    const stage = STAGES.find(([ticks]) => left <= ticks);
    if (stage) brick(row, column, stage[1]);
  }
  if (game.dig) brick(game.dig[0], game.dig[1], 1 - game.dig[2] / game.numbers.DIG_TICKS);
}

/** Shows a plan while the enemies stand still, as far as it is played. */
export function showStill(picture, board, still, milliseconds = 0) {
  const tiles = Array.from({ length: board.height }, () => []);
  const shown = still.tiles;
  for (const at of inside(board)) tiles[place(board, at)[0]].push(STILL[shown[at]]);
  const man = (id, kind, [row, col]) => ({ id, kind, row, col, milliseconds });
  const guards = still.enemies.map((at, i) => man(`guard ${i}`, "enemy", place(board, at)));
  picture.show(tiles, [...guards, man("runner", "player", still.runner)]);
}
