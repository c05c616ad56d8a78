// The colours of a PuzzleScript source: what each piece of a line is. It tells no mistakes: the compiler does.
const SECTIONS = "objects legend sounds collisionlayers rules winconditions levels tags mappings".split(" ");
const WORDS = {
  "": new Set("title author homepage youtube run_rules_on_level_start require_player_movement noundo norestart noaction norepeat_action throttle_movement debug verbose_logging scanline realtime_interval again_interval key_repeat_interval flickscreen zoomscreen color_palette background_color text_color".split(" ")),
  legend: new Set("and or".split(" ")),
  sounds: new Set("undo restart cancel titlescreen startgame endgame startlevel endlevel showmessage closemessage create destroy action move cantmove".split(" ")),
  rules: new Set("late rigid again cancel checkpoint restart win message startloop endloop random randomdir no stationary moving parallel perpendicular horizontal vertical orthogonal up down left right action".split(" ")),
  winconditions: new Set("all some no any on".split(" ")),
  levels: new Set(["message", "section", "goto"]),
};
const FIRST = ["", "levels"]; // sections in which the first word of a line alone has a meaning
const PIECE = /\/\/.*|[()]|->|\.\.\.|[[\]|<>^=+]|[\w:]+|[^\S\n]+|./gu;
const SIGN = /^(->|\.\.\.|[[\]|<>^=+])$/;
const PIXELS = /^\s*[.\d]{5}\s*$/;
const RULER = /^\s*=+\s*$/;

/**
 * The pieces of each line: [kind, text], where the kind is comment, section, word, sign, pixels, or "" for all else.
 * @param {string} text @returns {[string, string][][]}
 */
export function painted(text) {
  let section = "";
  let depth = 0; // of brackets, inside of which all is a comment
  const slashes = /^\s*\/\//m.test(text); // sources of PuzzleScript Next have comments behind //
  return text.split("\n").map((line) => {
    const name = line.trim().toLowerCase();
    if (!depth && SECTIONS.includes(name)) {
      section = name;
      return [["section", line]];
    }
    if (!depth && RULER.test(line)) return [["section", line]];
    if (!depth && section === "objects" && PIXELS.test(line)) return [["pixels", line]];
    const words = WORDS[section];
    const pieces = [];
    const add = (kind, piece) => {
      if (pieces.at(-1)?.[0] === kind) pieces.at(-1)[1] += piece;
      else pieces.push([kind, piece]);
    };
    let first = true;
    for (const [piece] of line.matchAll(PIECE)) {
      if (piece === "(") depth += 1;
      const word = piece.toLowerCase();
      const known = words?.has(word) || (section === "rules" && (word === "v" || /^sfx\d+$/.test(word)));
      if (depth || (slashes && piece.startsWith("//"))) add("comment", piece);
      else if (known && (first || !FIRST.includes(section))) add("word", piece);
      else if (SIGN.test(piece) && section !== "levels" && section !== "objects") add("sign", piece);
      else add("", piece);
      if (piece.trim() && !depth) first = false;
      if (piece === ")") depth = Math.max(0, depth - 1);
    }
    return pieces;
  });
}
