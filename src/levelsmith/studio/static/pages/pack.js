// A pack: levels in an order, with titles and their difficulties, to be published as a page.
import { ApiError, get, post } from "../api.js";
import { changed, made } from "../edit/change.js";
import { saved } from "../gallery/files.js";
import { keepPack, keptPack } from "../packs.js";
import { thumb } from "../thumb.js";
import { button, capital, debounce, el, empty, field, fill, gameName, guarded, number, plural, problemLine, toast } from "../ui.js";

export const title = "Pack";
const SETTLED = 600; // milliseconds after which keys are taken to have done with a slider

export default async function page(root) {
  const pack = keptPack();
  let rows = []; // {level, title, element, seen}: seen is what is proved of it
  let asked = 0;
  const heading = el("h1", {}, "Pack");
  const place = el("p", { class: "soft", role: "status" });
  const problem = problemLine();
  const list = el("ol", { class: "rows", "aria-label": "Levels" });
  const sliders = el("div", { class: "sliders" });
  const course = el("section", { class: "card stack tight", "aria-label": "Difficulty from level to level" },
    sliders, el("p", { class: "soft" }, "How hard each level is. Drag one up to have it made harder, down to have it made easier."));

  async function find() {
    const found = await Promise.all(pack.levels.map(({ id, title: own }) => get(`levels/${id}`).then((level) => rowOf(level, own || level.title), () => null)));
    rows = found.filter(Boolean); // others were deleted meanwhile
  }

  /** Shows the order as it is, and finds out what is proved of the levels. */
  function show() {
    keep();
    const games = [...new Set(rows.map(({ level }) => level.game))];
    if (!rows.length) {
      list.replaceChildren(el("li", {}, empty("No levels yet: select some in the gallery, and put them into the pack.", el("a", { class: "button primary", href: "/gallery" }, "Gallery"))));
    } else {
      list.replaceChildren(...rows.map(({ element }) => element));
      sliders.replaceChildren(...rows.map(({ slider }, i) => el("span", {}, slider, el("small", { "aria-hidden": "true" }, i + 1))));
      rows.forEach((row, i) => row.tell(i, rows.length));
    }
    showCourse();
    play.hidden = !rows.length;
    place.textContent = rows.length ? `${plural(rows.length, "level")} of ${games.map(gameName).join(" and ")}` : "";
    problem.tell(games.length > 1 ? "A pack has levels of one game: take the others out." : "");
    for (const one of [sort, name, publish, save]) one.disabled = !rows.length || games.length > 1;
    if (rows.length && games.length === 1) look();
  }

  const look = guarded(async () => {
    const mine = asked += 1;
    const { levels } = await post("pack/look", { ids: rows.map(({ level }) => level.id) });
    if (mine !== asked) return;
    rows.forEach((row, i) => { row.seen = levels[i]; });
    rows.forEach((row, i) => row.tell(i, rows.length)); // which look at their neighbours
    showCourse();
  }, problem);

  const hardness = ({ seen }) => seen?.difficulty ?? null; // null: nobody knows

  function showCourse() {
    course.hidden = !rows.some((row) => hardness(row) !== null);
  }

  function keep() {
    const said = Object.fromEntries(Object.entries(about).map(([key, control]) => [key, control.value]));
    keepPack({ ...said, help: help.checked, levels: rows.map(({ level, own }) => ({ id: level.id, title: own.value })) });
  }

  function move(row, to) {
    rows.splice(rows.indexOf(row), 1);
    rows.splice(to, 0, row);
    show();
  }

  function rowOf(level, named) {
    const own = el("input", { value: named, maxlength: 200, placeholder: "no title", oninput: keep });
    const count = el("span", { class: "count" });
    const told = el("small", {});
    const bar = el("span", { class: "hard", "aria-hidden": "true" });
    const [up, down] = [["↑", -1, "earlier"], ["↓", 1, "later"]].map(([sign, by, word]) =>
      button(sign, () => { move(row, rows.indexOf(row) + by); (row.arrows[by].disabled ? own : row.arrows[by]).focus(); }, { class: "quiet icon", title: `Move ${word}` }));
    const [easier, harder] = [["Easier", "easier"], ["Harder", "improve"]].map(([word, kind]) => button(word, guarded(() => alter(kind), problem), { class: "quiet" }));
    const more = button("+", guarded(() => between(), problem), { class: "quiet icon", title: "Make a level between this one and the next" });
    const slider = el("input", { type: "range", min: 0, max: 100, oninput: () => { slider.title = slider.value; }, onchange: debounce(guarded(() => drag(), problem), SETTLED) });
    const out = button("×", () => { rows = rows.filter((one) => one !== row); show(); }, { class: "quiet icon", title: "Take out" });
    const element = el("li", { class: "card", draggable: "true" }, el("span", { class: "grip", "aria-hidden": "true" }, "⠿"), count,
      el("a", { href: `/play?pack=1&level=${level.id}`, title: "Play" }, thumb(level, "", 64)), el("span", { class: "middle" }, own, bar, told), el("span", { class: "row" }, easier, harder), el("span", { class: "row" }, more, up, down, out));
    const row = {
      level, own, element, slider, seen: null, arrows: { [-1]: up, 1: down },
      tell(i, all) {
        const { seen } = row;
        count.textContent = i + 1;
        own.setAttribute("aria-label", `Title of level ${i + 1}`);
        up.setAttribute("aria-label", `Move level ${i + 1} up`);
        down.setAttribute("aria-label", `Move level ${i + 1} down`);
        out.setAttribute("aria-label", `Take level ${i + 1} out`);
        easier.setAttribute("aria-label", `Make level ${i + 1} easier`);
        harder.setAttribute("aria-label", `Make level ${i + 1} harder`);
        more.setAttribute("aria-label", `Make a level between ${i + 1} and ${i + 2}`);
        slider.setAttribute("aria-label", `Difficulty of level ${i + 1}`);
        const unknown = hardness(row) === null;
        easier.hidden = harder.hidden = slider.disabled = unknown;
        more.disabled = unknown || i === all - 1 || hardness(rows[i + 1]) === null;
        if (!slider.matches(":active")) slider.value = hardness(row) ?? 0;
        slider.title = unknown ? "not known" : slider.value;
        [up.disabled, down.disabled] = [i === 0, i === all - 1];
        bar.style.setProperty("--hard", `${seen?.difficulty ?? 0}%`);
        const hard = seen?.difficulty === null || !seen ? "" : `difficulty ${number(Math.round(seen.difficulty))}`;
        told.textContent = seen ? [hard, seen.told, seen.same && `the same as level ${seen.same}`].filter(Boolean).join(" · ") : "Looking at it …";
        told.classList.toggle("wrong", Boolean(seen && (!seen.proved || seen.same)));
      },
    };
    /** Says what is done about this level until it is done; meanwhile its buttons rest. */
    async function busy(word, work) {
      const controls = [easier, harder, more, slider];
      for (const one of controls) one.disabled = true;
      told.textContent = word;
      try {
        await work();
      } finally {
        for (const one of controls) one.disabled = false;
        if (rows.includes(row)) row.tell(rows.indexOf(row), rows.length);
      }
    }

    /** Puts a harder or an easier level in the place of this one; about as hard as is said. */
    const alter = (kind, difficulty) => busy(`Making it ${kind === "easier" ? "easier" : "harder"} …`, async () => {
      const found = await changed(level.game, level.text, kind, difficulty);
      if (!found) {
        toast(`Nothing ${kind === "easier" ? "easier" : "harder"} was found.`);
        return;
      }
      const other = rowOf(await post("levels", { game: level.game, text: found.text, title: own.value }), own.value);
      const replace = (one, by) => { rows = rows.map((each) => (each === one ? by : each)); show(); };
      replace(row, other);
      toast(`${capital(found.told)}.`, { label: "Put it back", run: () => replace(other, row) }, 15);
    });

    /** Brings the level to where its slider was dragged. */
    async function drag() {
      const [is, wanted] = [Math.round(hardness(row)), Number(slider.value)];
      if (wanted !== is) await alter(wanted < is ? "easier" : "improve", wanted);
    }

    /** Puts a new level between this one and the next. */
    const between = () => busy("Making one between this and the next …", async () => {
      const hard = [row, rows[rows.indexOf(row) + 1]].map(hardness).sort((one, other) => one - other);
      const found = await made(level, ...hard);
      if (!found) {
        toast("No level could be made for this place.");
        return;
      }
      rows.splice(rows.indexOf(row) + 1, 0, rowOf(found, found.title));
      show();
    });
    own.addEventListener("focus", () => { element.draggable = false; });
    own.addEventListener("blur", () => { element.draggable = true; });
    element.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData("text/plain", String(level.id));
      event.dataTransfer.effectAllowed = "move";
      element.classList.add("dragged");
    });
    element.addEventListener("dragend", () => { element.classList.remove("dragged"); show(); });
    element.addEventListener("dragover", (event) => {
      const dragged = rows.find((one) => one.element.classList.contains("dragged"));
      if (!dragged) return;
      event.preventDefault();
      if (dragged === row) return;
      const box = element.getBoundingClientRect();
      const after = event.clientY > box.top + box.height / 2;
      rows.splice(rows.indexOf(dragged), 1);
      rows.splice(rows.indexOf(row) + Number(after), 0, dragged);
      element[after ? "after" : "before"](dragged.element);
    });
    return row;
  }

  const file = (asPage) => guarded(async () => {
    const said = Object.fromEntries(["title", "author", "notes"].map((key) => [key, about[key].value]));
    const response = await fetch("/api/pack", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...said, ids: rows.map(({ level }) => level.id), titles: rows.map(({ own }) => own.value), page: asPage, help: help.checked, colour: about.colour.value }),
    });
    if (!response.ok) throw new ApiError(response.status, (await response.json()).error);
    const fileName = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "pack";
    saved(await response.blob(), fileName);
    const left = Number(response.headers.get("levelsmith-unproved"));
    if (asPage) toast(`${fileName} is saved: unpack it and open index.html, or upload it to a host of games.${left ? ` ${plural(left, "level")} in it: not proved.` : ""}`, null, 15);
  }, problem);

  const about = {
    title: el("input", { value: pack.title, maxlength: 200, placeholder: "Winter rooms", oninput: keep }),
    author: el("input", { value: pack.author, maxlength: 200, oninput: keep }),
    notes: el("textarea", { rows: 3, oninput: keep }),
    colour: el("input", { value: pack.colour, maxlength: 7, placeholder: "#0b6556", oninput: keep }),
  };
  about.notes.value = pack.notes;
  const help = el("input", { type: "checkbox", onchange: keep });
  help.checked = pack.help;
  const play = el("a", { class: "button", href: "/play?pack=1", title: "From level to level, in this order" }, "Play");
  const sort = button("From easy to hard", () => {
    const hard = ({ seen }) => seen?.difficulty ?? Infinity;
    rows.sort((one, other) => hard(one) - hard(other));
    show();
  });
  const name = button("Make up titles", () => {
    for (const { own, seen } of rows) own.value ||= seen?.title ?? "";
    keep();
  }, { title: "For levels without one" });
  const publish = button("Publish as a page", file(true), { class: "primary" });
  const save = button("Save the pack (.json)", file(false));
  await find();
  fill(root,
    el("div", { class: "row spread" }, el("div", { class: "head" }, heading, place), el("div", { class: "row" }, play, sort, name, el("a", { class: "button", href: "/gallery" }, "More levels"))),
    problem,
    el("div", { class: "work" }, el("div", { class: "stack" }, course, list),
      el("aside", { class: "stack", "aria-label": "The pack" },
        el("section", { class: "card stack" },
          field("Title", about.title), field("Author", about.author), field("Notes for players", about.notes), field("Colour of the page", about.colour),
          el("label", { class: "check" }, help, "Hints and solutions"),
          el("div", { class: "row" }, publish, save),
          el("p", { class: "soft" }, "The page needs no server: it opens from a folder and on any host. Every level is proved first.")))));
  show();
}
