// The five-action generation of Sokoban, action by action.
import { post } from "../../api.js";
import { Board } from "../../board.js";
import { button, el, field, guarded, speak } from "../../ui.js";
import { read, shown as drawn } from "../../edit/drawing.js";

export function stepsCard({ game, accept }) {
  const frame = el("div", { class: "board preview" });
  const board = new Board(frame);
  const action = el("p", {}, "\u00a0");
  const slider = el("input", { type: "range", min: 0, max: 0, value: 0, oninput: () => show(Number(slider.value)) });
  const size = el("input", { value: "5x5", size: 6 });
  const seed = el("input", { type: "number", min: 0, value: 1 });
  let steps = [];

  const begin = guarded(async () => {
    const answer = await post("steps", { game: "sokoban", size: size.value, seed: Number(seed.value) });
    steps = answer.steps ?? answer;
    slider.max = steps.length - 1;
    shown.hidden = false;
    await board.dress("sokoban");
    show(0);
  });

  function show(at) {
    slider.value = at;
    board.show(drawn(game(), read(game().tiles, steps[at].text)));
    action.textContent = `${at + 1} of ${steps.length}: ${steps[at].action}`;
    board.label = action.textContent;
    speak(action.textContent);
    back.disabled = at === 0;
    on.disabled = at === steps.length - 1;
  }

  const back = button("‹ Back", () => show(Number(slider.value) - 1));
  const on = button("On ›", () => show(Number(slider.value) + 1));
  const shown = el("div", { class: "stack", hidden: true }, frame, action, field("Action", slider),
    el("div", { class: "row" }, back, on, button("Edit this", () => accept(steps[Number(slider.value)].text))));
  return el("details", { class: "card" }, el("summary", {}, "Watch a level being made"),
    el("div", { class: "stack" },
      el("p", { class: "soft" }, "Five actions make a level that can be solved: delete an obstacle, place a box, freeze, move, evaluate."),
      el("div", { class: "fields" }, field("Inside", size), field("Seed", seed)),
      button("Begin", begin), shown));
}
