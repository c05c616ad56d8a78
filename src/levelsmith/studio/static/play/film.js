// A game that has no rules in the browser: its level, and its solution as the studio has played it, move by move.
import { gameOf, post } from "../api.js";
import { Board } from "../board.js";
import { tilesOf } from "../thumb.js";
import { gameName, keys, plural } from "../ui.js";
import { Playback, whyNone } from "./playback.js";

export async function play({ frame, side, level, controls }) {
  const game = await gameOf(level.game);
  const board = new Board(frame);
  let frames = [level.text];
  let at = 0;
  const go = (to) => {
    at = to;
    board.show(tilesOf(game, frames[at]));
    return true;
  };
  const film = new Playback({
    solution: () => "x".repeat(frames.length - 1),
    rewind: () => go(0),
    step: () => go(at + 1),
    back: () => go(at - 1),
    note: () => "This game has no rules in the browser, so it cannot be played by hand here.",
  });
  film.element.append(keys({ "→": "one move", "←": "one back" }));
  side.append(film.element);
  controls({
    key(event) {
      if (event.key === "ArrowRight") film.once.click();
      else if (event.key === "ArrowLeft") film.back.click();
      else return false;
      return true;
    },
    stop: () => film.stop(),
  });
  board.label = `A level of ${gameName(level.game)}, ${level.size}`;
  go(0);
  await board.dress(level.game);

  film.place.textContent = "Looking for one …";
  const answer = await post("check", { game: level.game, text: level.text, frames: true })
    .catch((error) => ({ error: error.message }));
  level.metrics ??= answer.metrics;
  if (answer.frames?.length) frames = answer.frames;
  film.refresh();
  if (frames.length === 1) film.place.textContent = told(answer);
}

function told({ status, error, moves }) {
  if (status === "solved") return `It takes ${plural(moves, "move")}, too many to show here.`;
  return whyNone({ status, error });
}
