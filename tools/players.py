"""Modules by which a page plays a recorded solution of a level, by the kernels that its game is played by.

The default function of each takes {kernels, kind, text, solution}, what the server tells a page of the game
and the level, and comes back with {won, used}, `used` being the keys until it was won, or until one did
otherwise than the solution says.
"""

SOKOBAN = """
import { boardOf, Game } from "./games/sokoban/game.js";
import { carried, loaded } from "./kernels.js";

let compiled = null;

export default async function play({ kernels, kind, text, solution }) {
  compiled ??= await loaded("sokoban", carried({ sokoban: kernels }));
  const game = new Game(compiled, boardOf(kind, text));
  let [position, used] = [game.start, 0];
  for (const letter of solution) {
    const move = letter.toLowerCase();
    const after = game.step(position, move);
    if (!after || game.pushed(position, after) !== (letter !== move)) return { won: false, used };
    [position, used] = [after, used + 1];
  }
  return { won: position.left === 0, used };
}
"""

PLAYERS = {"sokoban": SOKOBAN}
