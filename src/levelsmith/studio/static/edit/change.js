// A level made harder or easier by a search, from a page that does not draw it.
import { post, remove, watch } from "../api.js";

const SECONDS = 8;
const ENDS = ["done", "failed", "cancelled", "interrupted"];

/** Asks for a level like one that is there, and waits for it: {text, told}, or null where none was found.
 * @param {string} game @param {string} text @param {string} kind improve, or easier
 * @returns {Promise<{text: string, told: string} | null>} */
export async function changed(game, text, kind) {
  const seed = Math.floor(Math.random() * 1e6);
  const { id } = await post("jobs", { game, edit: kind, start: text, seconds: SECONDS, seed });
  let [best, told] = [text, ""];
  const { state, error } = await new Promise((done) => {
    const close = watch(id, {
      progress(event) {
        best = event.text ?? best;
        told = event.told ?? told;
      },
      state(event) {
        if (!ENDS.includes(event.state)) return;
        close();
        done(event);
      },
    });
  });
  remove(`jobs/${id}`).catch(() => {}); // nobody looks at it again
  if (state === "failed") throw new Error(error ?? "the search failed");
  return best === text ? null : { text: best, told: told.replace(/([0-9]) to (?=[0-9])/g, "$1 → ") };
}
