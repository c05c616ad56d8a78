// How packs of games that come as one text are played: each gives the levels of what a page carries.
import { unpacked } from "../kernels.js";
import { programOf } from "./puzzlescript/game.js";
import { levelsOf } from "./puzzlescript/levels.js";
import { painted } from "./puzzlescript/paint.js";
import { unitOf } from "./puzzlescript/prove.js";

export { levelsOf, painted, programOf, unitOf };

export const PACKS = {
  async puzzlescript({ script, levels }) {
    return levelsOf(await unpacked(script).json()).map((level, i) => ({ ...level, ...levels[i], game: level.game, text: "" }));
  },
};
