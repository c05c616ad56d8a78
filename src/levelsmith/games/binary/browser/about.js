// What pages call it, and a level to begin with, while the gallery is empty.
export const NAME = "Cave map";

export const SAMPLE = { game: "binary", size: "9x6", title: "A first cave", text: ".........\n.######..\n.......#.\n.#####.#.\n...#...#.\n.#...###." };
