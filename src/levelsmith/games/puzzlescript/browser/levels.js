// The levels of a PuzzleScript game as pages play them.
import { Pixels } from "../../play/pixels.js";

/** The levels of a game, each with the messages that come before it; those at the end belong to the last. */
export function levelsOf(game) {
  const pixels = new Pixels(game);
  const levels = [];
  let before = [];
  for (const found of game.program.levels) {
    if (!found.board) {
      before.push(found.message);
      continue;
    }
    const [text, size] = ["", `${found.width}x${found.height}`];
    levels.push({ game: "puzzlescript", text, size, title: found.title || `Level ${levels.length + 1}`, script: game, board: found, solution: found.solution, pixels, before, after: [] });
    before = [];
  }
  if (levels.length) levels.at(-1).after = before;
  return levels;
}
