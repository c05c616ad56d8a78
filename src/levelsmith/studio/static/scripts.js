// The game in one text that was looked at last, kept in this browser while the studio's page is open.
const KEPT = "script";
const HEADING = /^[ \t]*(objects|legend|collisionlayers|rules|winconditions|levels)[ \t]*\r?$/gim;
const HEADINGS = 3; // that a file has which is a game, and no levels

export function keptScript() {
  try { return sessionStorage.getItem(KEPT) ?? ""; } catch { return ""; } // private windows may refuse
}

export function keepScript(text) {
  try { sessionStorage.setItem(KEPT, text); } catch { /* then nothing is kept */ }
}

/** Whether a text is a game and not levels of one. */
export const isScript = (text) => new Set((text.match(HEADING) ?? []).map((line) => line.trim().toLowerCase())).size >= HEADINGS;
