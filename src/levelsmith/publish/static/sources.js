// The playground's page of PuzzleScript: a source is pasted, read by Python in the page, played, and each level proved.
import { ask } from "../background.js";
import { programOf, unitOf } from "../games/packs.js";
import { opener, Script } from "../script.js";
import { el, guarded, plural } from "../ui.js";
import { carried, read } from "./python.js";

const SECONDS = 10; // for the proof of a level
const LONGEST = 20_000; // letters of a link
const MARK = "#script.";
const CAN = { unsolvable: "cannot be won", unknown: "not decided in time" };

/** Whether an address holds a source. */
export const holdsSource = (address) => address.startsWith(MARK);

/** Puts the page in the place of what is there. `back` leads to where levels are drawn.
 * @param {HTMLElement} root @param {HTMLElement} back */
export async function openSources(root, back) {
  let proving = null;
  const script = new Script({ read: readIt, changed: tellAddress, shown: prove });
  root.replaceChildren(
    el("div", { class: "row spread playground" }, el("div", { class: "head" }, script.heading, script.place), back),
    script.problem, script.choices,
    el("div", { class: "two" }, script.stage, el("div", { class: "stack" }, script.source.element,
      el("p", { class: "soft" }, "The source is read by Python in this page, which takes some seconds to begin. Nothing is sent anywhere: the link itself holds the source."))));
  script.place.textContent = "Python begins …";
  const { scripts } = await carried();
  back.before(opener(scripts, (text) => script.open(text), script.problem));
  await script.open(await sourceOf(location.hash) || Object.values(scripts)[0]);

  async function readIt(text) {
    script.place.textContent = "It is read …";
    return read(text);
  }

  /** Proves one level after the other, until another game is there. */
  async function prove(game, levels) {
    proving?.abort();
    proving = new AbortController();
    const { signal } = proving;
    if (!game || game.program.unsolvable) return;
    const program = programOf(game.program);
    for (const level of levels) {
      level.note.textContent = "…";
      const verdict = await ask("puzzlescript", "prove", { program, ...level.board, seconds: SECONDS }, { signal }).catch((error) => ({ told: error.message }));
      if (signal.aborted) return;
      const { solution, optimal, status, told } = verdict;
      if (solution) level.solution = solution;
      const keys = solution && plural(solution.length, unitOf(program));
      level.note.textContent = keys ? `✓ ${keys}` : CAN[status] ?? "?";
      level.note.title = `${level.title}: ${keys ? `can be won in ${keys}${optimal ? ", and in no fewer" : ""}` : told ?? CAN[status] ?? status}`;
    }
  }

  return () => {
    proving?.abort();
    script.close();
  };
}

const tellAddress = guarded(async (text) => {
  const packed = await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
  const letters = btoa(Array.from(new Uint8Array(packed), (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  if (letters.length <= LONGEST) history.replaceState(null, "", `${MARK}${letters}`);
});

/** The source that an address holds; "" for none. @param {string} address */
async function sourceOf(address) {
  if (!holdsSource(address) || address.length > LONGEST + MARK.length) return "";
  try {
    const letters = atob(address.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  } catch {
    return ""; // it was cut short
  }
}
