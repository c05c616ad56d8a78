// Before a level that can be solved is written over by one that cannot.
import { post } from "../api.js";
import { button, el } from "../ui.js";

/** What becomes of a drawing that shall replace a level: "save", "copy", or null for neither. Asks only where the
 * level can be solved and the drawing cannot. */
export async function beforeReplacing(name, game, before, after, asks) {
  if (before === after) return "save";
  let was, is;
  try {
    [was, is] = [await checked(game, before, asks), await checked(game, after, asks)];
  } catch {
    return "save"; // nobody can say; it is told beside the drawing
  }
  if (was.status !== "solved" || (is.valid && is.status !== "unsolvable")) return "save";
  const reason = is.valid ? `has no solution${is.why ? `: ${is.why}` : ""}` : `is not a level yet: ${is.error}`;
  return asked(`What you have drawn ${reason}. It would replace ${name}, which can be solved.`);
}

const checked = (game, text, asks) => post("check", { game: game.name, text, solve: true, ...asks });

function asked(sentence) {
  return new Promise((done) => {
    let choice = null;
    const choose = (label, value, attributes) => button(label, () => { choice = value; dialog.close(); }, attributes);
    const dialog = el("dialog", { "aria-label": "Save a level without a solution?", onclose: () => { dialog.remove(); done(choice); } },
      el("div", { class: "stack" },
        el("h2", {}, "Save a level without a solution?"), el("p", {}, sentence),
        el("div", { class: "row" }, choose("Save as a copy", "copy", { class: "primary" }), choose("Replace it", "save"), choose("Cancel", null))));
    document.body.append(dialog);
    dialog.showModal();
  });
}
