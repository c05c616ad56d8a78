// A pack to play: the list of its levels with what was done, and the level that is played.
import { known } from "../api.js";
import { PACKS } from "../games/packs.js";
import { unpacked } from "../kernels.js";
import { Stage } from "../play/stage.js";
import { thumb } from "../thumb.js";
import { button, el, fill, guarded, number, plural } from "../ui.js";
import { Progress } from "./progress.js";

const { pack } = known;
let { levels } = known;
const progress = new Progress(pack.key);
const root = document.getElementById("page");
let stage = null;

const count = (value) => (pack.unit === "second" ? `${value.toFixed(1)} s` : plural(value, pack.unit));
const won = () => levels.filter(({ key }) => progress.of(key).won).length;
const titled = (level, index) => (level.title ? `${index + 1}. ${level.title}` : `Level ${index + 1}`);

/** How well a level was played, beside what is proved of it. */
function standing({ key, fewest, proof }) {
  const { best } = progress.of(key);
  const known = fewest === null ? "" : `fewest ${best === undefined ? count(fewest) : number(fewest)}`;
  if (best === undefined) return [known, proof].filter(Boolean).join(" · ");
  if (fewest !== null && best <= fewest) return `best ${count(best)}: the fewest possible`;
  return [`best ${count(best)}`, known, proof].filter(Boolean).join(" · ");
}

/** All levels, to choose from. */
function list() {
  stage?.close();
  stage = null;
  document.title = pack.title;
  const [done, all] = [won(), levels.length];
  const last = levels.findIndex(({ key }) => key === progress.at);
  const open = levels.findIndex(({ key }) => !progress.of(key).won);
  const on = last >= 0 && !progress.of(levels[last].key).won ? last : Math.max(0, open);
  const forget = button("Start over", () => {
    if (!confirm("Forget which levels are solved, and your best results?")) return;
    progress.forget();
    list();
  }, { class: "quiet" });
  fill(root,
    el("div", { class: "intro" },
      el("h1", {}, pack.title),
      pack.author ? el("p", { class: "soft" }, `by ${pack.author}`) : null,
      pack.notes ? el("p", {}, pack.notes) : null,
      el("div", { class: "row" },
        el("a", { class: "button primary", href: `#${on + 1}` }, done === all ? "Play again" : done || last >= 0 ? `Go on with level ${on + 1}` : "Play"),
        el("progress", { value: done, max: all, "aria-label": "Levels solved" }),
        el("span", {}, done === all ? `All ${number(all)} solved` : `${number(done)} of ${number(all)} solved`),
        done || last >= 0 ? forget : null)),
    el("nav", { class: "cards", "aria-label": "Levels" }, ...levels.map((level, i) => {
      const { won: isWon } = progress.of(level.key);
      const told = standing(level);
      return el("a", { class: i === on && done < all ? "pick here" : "pick", href: `#${i + 1}` },
        picture(level),
        el("strong", {}, titled(level, i)),
        el("span", { class: "row" },
          level.tier ? el("span", { class: "badge" }, level.tier) : el("span", { class: "soft" }, level.size.replace("x", " × ")),
          isWon ? el("span", { class: "badge good" }, "✓ solved") : null),
        told ? el("small", {}, told) : null);
    })));
}

function picture(level) {
  if (!level.pixels) {
    const canvas = thumb(level, "", 160);
    canvas.classList.add("picture");
    return canvas;
  }
  const canvas = el("canvas", { class: "picture pixels", "aria-hidden": "true" });
  level.pixels.draw(canvas, level.board.board, level.board);
  return canvas;
}

const heading = el("h1", {});
const badge = el("span", { class: "badge" });
const told = el("p", { class: "soft told", role: "status" });
const previous = button("‹ Previous", () => stage.go(-1));
const next = button("Next ›", () => stage.go(1));

function tell(level) {
  told.textContent = standing(level);
  badge.hidden = !level.tier && !progress.of(level.key).won;
  badge.className = progress.of(level.key).won ? "badge good" : "badge";
  badge.textContent = [progress.of(level.key).won && "✓", level.tier].filter(Boolean).join(" ");
}

/** One level, in the place of the list. */
const play = guarded(async (level) => {
  if (!stage) {
    stage = new Stage(levels, (shown, index) => {
      progress.at = shown.key;
      heading.textContent = titled(shown, index);
      document.title = `${titled(shown, index)} · ${pack.title}`;
      previous.disabled = index <= 0;
      next.disabled = index >= levels.length - 1;
      tell(shown);
      if (location.hash !== `#${index + 1}`) history.replaceState(null, "", `#${index + 1}`);
    }, undefined, {
      help: pack.help,
      kept: ({ key }) => progress.of(key).keys ?? "",
      keep: ({ key }, keys) => progress.put(key, { keys }),
      won: (solved, result) => {
        const { best } = progress.of(solved.key);
        progress.put(solved.key, { won: true, keys: "", best: best === undefined ? result : Math.min(best, result) });
        tell(solved);
      },
    });
    fill(root, el("section", { id: "stage", class: "stack", tabindex: "-1", "aria-label": "The level" },
      el("div", { class: "row which" }, el("a", { class: "button", href: "#" }, "Levels"), heading, badge, told, previous, next),
      stage.element));
  }
  await stage.open(level);
});

function route() {
  const level = levels[Number(location.hash.slice(1)) - 1];
  if (level) play(level);
  else list();
}

addEventListener("hashchange", route);
guarded(async () => {
  levels.push(...await unpacked(known.packed).json());
  if (PACKS[pack.scripts]) levels = await PACKS[pack.scripts](known);
  route();
})();
