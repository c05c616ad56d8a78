// What the tiles of a map from another hand are: asked for, once for each number or name.
import { gameOf } from "../api.js";
import { button, capital, el, field, gameName, select } from "../ui.js";

/** Asks what each of these tiles is in a game; the pairs `3=wall`, or null where nobody wants to say. */
export async function askTiles(file, { tiles, game: name }) {
  const game = await gameOf(name);
  return new Promise((done) => {
    const options = [["", "choose"], ...game.tiles.map((tile) => [tile.name, tile.name])];
    const meanings = tiles.map((tile) => [tile, select(options, "")]);
    for (const [, meaning] of meanings) meaning.required = true;
    let told = null;
    const form = el("form", { class: "stack", onsubmit: (event) => {
      event.preventDefault();
      told = meanings.map(([tile, meaning]) => `${tile}=${meaning.value}`);
      dialog.close();
    } },
      el("h2", {}, "What are these tiles?"),
      el("p", {}, `${file} does not say which tiles of ${gameName(name)} they are. A number is the one in the file: in Tiled, the ID of a tile of the first tileset plus 1.`),
      el("div", { class: "fields" }, ...meanings.map(([tile, meaning]) => field(/^\d+$/.test(tile) ? `Number ${tile}` : capital(tile), meaning))),
      el("div", { class: "row" }, el("button", { class: "primary" }, "Add the map"), button("Cancel", () => dialog.close(), { type: "button" })));
    const dialog = el("dialog", { "aria-label": "What are these tiles?", onclose: () => { dialog.remove(); done(told); } }, form);
    document.body.append(dialog);
    dialog.showModal();
  });
}
