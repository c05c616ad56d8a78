// Levels that searches make for a page that does not draw them: one made harder or easier, and new ones.
import { gameOf, post, remove, watch } from "../api.js";

/** @typedef {{id: number, game: string, text: string, size: string}} Kept a level of the gallery */

const SECONDS = 8;
const WITHIN = 60; // seconds for a new level
const NARROW = 4; // of difficulty: ranges for new levels are at least as wide
const NEAR = 10; // and those for a level that is changed
const ENDS = ["done", "failed", "cancelled", "interrupted"];

/** Waits for the end of a job; what it tells on the way goes to the handlers.
 * @param {string} id @param {Object} handlers @returns {Promise<{state: string, error: string}>} */
function ended(id, handlers) {
  return new Promise((done) => {
    const close = watch(id, {
      ...handlers,
      state(event) {
        if (!ENDS.includes(event.state)) return;
        close();
        done(event);
      },
    });
  });
}

/** @param {{state: string, error: string}} end of a job that may not fail */
function check({ state, error }) {
  if (state === "failed") throw new Error(error ?? "the search failed");
}

/** Asks for a level like one that is there, and waits for it: {text, told}, or null where none was found. Where none is as
 * hard as is said, any that is harder or easier will do.
 * @param {string} game @param {string} text @param {string} kind improve, or easier
 * @param {number} [difficulty] how hard it shall be, about
 * @returns {Promise<{text: string, told: string} | null>} */
export async function changed(game, text, kind, difficulty) {
  if (difficulty === undefined) return search(game, text, kind, {});
  const found = await search(game, text, kind, { want: { difficulty: around(difficulty, difficulty, NEAR) } });
  if (found) return found;
  const other = await search(game, text, kind, {});
  return other && { ...other, told: `${other.told}; nothing nearer to ${difficulty} was found` };
}

/** @param {string} game @param {string} text @param {string} kind @param {Object} asked what else the job shall have
 * @returns {Promise<{text: string, told: string} | null>} */
async function search(game, text, kind, asked) {
  const seed = Math.floor(Math.random() * 1e6);
  const { id } = await post("jobs", { game, edit: kind, start: text, seconds: SECONDS, seed, ...asked });
  let [best, told] = [text, ""];
  const end = await ended(id, {
    progress(event) {
      best = event.text ?? best;
      told = event.told ?? told;
    },
  });
  if (!asked.want) check(end); // where a range is asked for, that nothing lies in it is an answer
  remove(`jobs/${id}`).catch(() => {}); // nobody looks at it again
  return best === text ? null : { text: best, told: told.replace(/([0-9]) to (?=[0-9])/g, "$1 → ") };
}

/** Has a new level made, as large as one that is there and as hard as is said; null where none was found.
 * @param {Kept} like @param {number} low @param {number} high @returns {Promise<Kept | null>} */
export async function made(like, low, high) {
  const { border } = await gameOf(like.game);
  const size = like.size.split("x").map((side) => Number(side) - 2 * border).join("x");
  const { id } = await post("jobs", { game: like.game, size, count: 1, within: WITHIN, want: { difficulty: around(low, high, NARROW) } });
  let found = null;
  check(await ended(id, { level(level) { found = level; } }));
  return found;
}

/** A range that is at least so wide. @param {number} low @param {number} high @param {number} width */
function around(low, high, width) {
  const spare = Math.max(0, width - (high - low)) / 2;
  return [Math.max(0, Math.round(low - spare)), Math.min(100, Math.round(high + spare))];
}
