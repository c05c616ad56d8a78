// The pack that is put together in this browser: its levels in their order, and what is said of them.

/** @typedef {{title: string, author: string, notes: string, colour: string, help: boolean, levels: {id: number, title: string}[]}} Kept */

const KEPT = "pack";
const NOTHING = { title: "", author: "", notes: "", colour: "", help: true, levels: [] };

/** @returns {Kept} */
export function keptPack() {
  try {
    return { ...NOTHING, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
  } catch {
    return { ...NOTHING }; // private windows may refuse
  }
}

/** @param {Kept} pack */
export function keepPack(pack) {
  try { localStorage.setItem(KEPT, JSON.stringify(pack)); } catch { /* then it lasts as long as the page */ }
}

/** Puts levels of the gallery at the end, those that are not in it yet. @param {number[]} ids */
export function addToPack(ids) {
  const pack = keptPack();
  const there = new Set(pack.levels.map(({ id }) => id));
  keepPack({ ...pack, levels: [...pack.levels, ...ids.filter((id) => !there.has(id)).map((id) => ({ id, title: "" }))] });
}
