// The rules of PuzzleScript over the tables of a game, as the engine in Python writes them down.
// A board has the objects of its cells, column after column, in words of 32 bits; movements are kept in words of
// six layers, five bits each: up, down, left, right, action. games/puzzlescript/twin.py tells the same story.
import { Dice } from "./dice.js";
import { choicesOf, rulesOf, winsOf } from "./tables.js";

const [UP, DOWN, LEFT, RIGHT, ACTION] = [0, 1, 2, 3, 4];
const INPUTS = [UP, LEFT, DOWN, RIGHT, ACTION]; // the movement of the inputs 0 to 4
const [AGAIN, CANCEL, CHECKPOINT, RESTART, WIN, MESSAGE] = [1, 2, 4, 8, 16, 32]; // commands
const [NO, SOME, ALL] = [0, 1, 2]; // win conditions
const LAYERS = 6; // of a word
export const [PLAY, START, PROBE] = [0, 1, 2]; // turns
export const [PUSHED, WON, PENDING, YES] = [1, 2, 4, 8]; // what comes of a turn
export const [NEVER_WINS, ENDS, GOES_ON] = [0, 1, 2]; // what a win does

/** Rules that do not come to an end. */
export class Endless extends Error {}

/** One board of a game, played turn by turn. */
export class Puzzle {
  onWin = ENDS;
  work = 0; // done since the last key
  told = 0; // one more than the rule whose message is to be shown

  constructor(tables, height, width) {
    Object.assign(this, { height, width, count: height * width, limits: tables.limits });
    this.w = tables.words;
    this.v = tables.move_words;
    this.tables = tables;
    this.step = [-1, 1, -height, height];
    this.masks = Object.fromEntries(Object.entries(tables.cells).map(([name, column]) => [name, Int32Array.from(column)]));
    this.layerSets = Int32Array.from(tables.layer_sets);
    this.player = Int32Array.from(tables.player);
    this.rules = rulesOf(tables);
    this.wins = winsOf(tables);
    this.choices = choicesOf(tables);
    this.seen = new Int32Array(this.w); // objects that were anywhere in this turn, and movements
    this.seenMoves = new Int32Array(this.v);
    this.rigid = new Int32Array(this.count * this.v); // numbers of groups, five bits a layer
    this.marked = new Int32Array(this.count * this.v); // all five bits of a layer that has a number
  }

  /** Puts the board of a level down, and begins with new random numbers if there is a seed. */
  load(board, seed = null) {
    this.target = Int32Array.from(board); // where a restart goes
    this.put(board);
    this.restarting = false;
    if (seed !== null) this.dice = new Dice(seed);
  }

  board() {
    return this.objects.slice();
  }

  /** Replaces the board, as undo does. */
  put(board) {
    this.objects = Int32Array.from(board);
    this.moves = new Int32Array(this.count * this.v);
  }

  /** Goes back to the checkpoint or the start of the level; what comes of the start turn. */
  restart() {
    this.put(this.target);
    if (!this.tables.start_turn || this.restarting) return 0;
    this.restarting = true;
    const outcome = this.turn(null, START);
    this.restarting = false;
    return outcome;
  }

  /** Plays one turn, of a key or of time alone; what comes of it, as bits. */
  turn(key, kind = PLAY) {
    const before = this.objects.slice();
    const players = this.#movePlayers(key);
    union(this.seen, this.objects);
    union(this.seenMoves, this.moves);
    this.#moveAll();
    this.#run(this.tables.groups.early, this.tables.groups.jump.length, new Set());
    if (this.tables.must_move && players.length && players.every((i) => this.#has(i, this.player, false))) {
      this.put(before);
      return 0;
    }
    if (this.queue & MESSAGE && kind !== PROBE) this.told = this.said + 1;
    if (this.queue & CANCEL) {
      this.put(before);
      return this.queue & ~CANCEL ? YES : 0;
    }
    let outcome = 0;
    if (this.queue & RESTART) {
      outcome |= PUSHED;
      if (kind !== PROBE && !this.restarting) {
        outcome |= this.restart();
        this.queue = 0;
      }
    }
    const changed = this.objects.some((word, i) => word !== before[i]);
    if (kind === PROBE && (changed || this.queue & (WIN | RESTART))) {
      this.put(before);
      return YES;
    }
    if (changed && key !== null) outcome |= PUSHED;
    if (kind === PLAY && this.onWin !== NEVER_WINS && (this.queue & WIN || this.won())) {
      outcome |= WON;
      if (this.onWin === ENDS) return outcome;
      this.onWin = NEVER_WINS;
    }
    if (this.queue & CHECKPOINT) this.target = this.objects.slice();
    if (this.queue & AGAIN && changed && this.turn(null, PROBE) & YES) outcome |= PENDING;
    return outcome;
  }

  /** Whether all win conditions hold, and there are some. */
  won() {
    for (const { kind, what, where, what_all, where_all, anywhere } of this.wins) {
      let [on, off] = [false, false];
      for (let i = 0; i < this.count; i++) {
        if (!this.#has(i, what, what_all)) continue;
        if (anywhere || this.#has(i, where, where_all)) on = true;
        else off = true;
      }
      if ((kind === NO && on) || (kind === ALL && off) || (kind === SOME && !on)) return false;
    }
    return this.wins.length > 0;
  }

  /** Whether a cell has any, or all, of some objects. */
  #has(i, members, all) {
    for (let k = 0; k < this.w; k++) {
      const found = this.objects[i * this.w + k] & members[k];
      if (all && found !== members[k]) return false;
      if (!all && found) return true;
    }
    return all;
  }

  // movement

  /** Gives the key's movement to all players; their cells. */
  #movePlayers(key) {
    const found = [];
    for (let i = 0; key !== null && i < this.count; i++) {
      if (!this.#has(i, this.player, this.tables.player_all)) continue;
      found.push(i);
      for (let layer = 0; layer < this.tables.layers; layer++) {
        let here = 0;
        for (let k = 0; k < this.w; k++) here |= this.objects[i * this.w + k] & this.player[k] & this.layerSets[layer * this.w + k];
        if (!here) continue;
        const [at, shift] = this.#place(i, layer);
        this.moves[at] = (this.moves[at] & ~(31 << shift)) | (1 << (shift + INPUTS[key]));
      }
    }
    return found;
  }

  /** The word and the bit where the movement of a layer begins. */
  #place(i, layer) {
    return [i * this.v + Math.floor(layer / LAYERS), 5 * (layer % LAYERS)];
  }

  /** Runs the rules and moves what moves, anew without the rigid groups whose movement was stopped. */
  #moveAll() {
    const [objects, moves] = [this.objects.slice(), this.moves.slice()];
    const banned = new Set();
    for (let round = 0; round < this.limits.rounds; round++) {
      this.queue = 0;
      this.rigid.fill(0);
      this.marked.fill(0);
      this.#run(0, this.tables.groups.early, banned);
      this.#resolve();
      const before = banned.size;
      this.#stopped(banned);
      this.moves.fill(0);
      if (banned.size === before) return;
      this.objects = objects.slice();
      this.moves = moves.slice();
    }
    this.moves.fill(0);
  }

  /** Moves what moves, sweep after sweep, until nothing does. */
  #resolve() {
    for (let again = true; again;) {
      again = false;
      for (let at = 0; at < this.moves.length; at++) {
        for (let shift = 0; this.moves[at] >> shift; shift += 5) {
          const moved = (this.moves[at] >> shift) & 31;
          const layer = LAYERS * (at % this.v) + shift / 5;
          if (!moved || !this.#go(Math.floor(at / this.v), layer, moved)) continue;
          this.moves[at] &= ~(31 << shift);
          again = true;
        }
      }
    }
  }

  /** Moves one layer of a cell if nothing of that layer is in the way; whether it did. */
  #go(i, layer, moved) {
    if ((moved >> ACTION) & 1) return true;
    const x = Math.floor(i / this.height) + ((moved >> RIGHT) & 1) - ((moved >> LEFT) & 1);
    const y = (i % this.height) + ((moved >> DOWN) & 1) - ((moved >> UP) & 1);
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return false;
    const { objects, w } = this;
    const [from, to, members] = [i * w, (x * this.height + y) * w, layer * w];
    for (let k = 0; k < w; k++) if (objects[to + k] & this.layerSets[members + k]) return false;
    for (let k = 0; k < w; k++) {
      objects[to + k] |= objects[from + k] & this.layerSets[members + k];
      objects[from + k] &= ~this.layerSets[members + k];
    }
    return true;
  }

  /** Adds the rigid groups with movement left that could not be made. */
  #stopped(found) {
    for (let i = 0; i < this.count; i++) {
      for (let at = i * this.v; at < (i + 1) * this.v; at++) {
        const left = this.moves[at] & this.marked[at];
        if (!left) continue;
        let shift = 0;
        while (!((left >> shift) & 31)) shift += 5;
        found.add((this.rigid[at] >> shift) & 31);
        break; // the lowest layer of a cell alone
      }
    }
  }

  // rules

  /** Runs groups of rules in order, and loops among them. */
  #run(first, end, banned) {
    const { jump, rigid } = this.tables.groups;
    let [g, jumps, changed] = [first, 0, false];
    while (g < end) {
      if (!banned.has(rigid[g]) && this.#runGroup(g)) changed = true;
      if (changed && jump[g] >= 0) {
        [g, changed, jumps] = [jump[g], false, jumps + 1];
        if (jumps > this.limits.jumps) return;
      } else g += 1;
    }
  }

  #runGroup(g) {
    const { rule_first, rule_count, random, rigid } = this.tables.groups;
    const [first, end] = [rule_first[g], rule_first[g] + rule_count[g]];
    if (random[g]) return this.#runRandom(first, end, rigid[g]);
    let changed = false;
    for (let pass = 0; pass < this.limits.passes; pass++) {
      let passed = false;
      for (let r = first; r < end; r++) if (this.#runRule(r, rigid[g])) passed = true;
      if (!passed) break;
      changed = true;
    }
    return changed;
  }

  #runRandom(first, end, rigid) {
    let total = 0;
    const found = [];
    for (let r = first; r < end; r++) {
      const rows = this.#rows(this.rules[r]);
      found.push([r, rows, total]);
      total += ways(rows);
    }
    if (!total) return false;
    const drawn = this.dice.below(total);
    const [r, rows, before] = found.findLast((one) => one[2] <= drawn && one[1].length);
    const changed = this.#apply(this.rules[r], chosen(rows, drawn - before), rigid);
    this.#enqueue(r);
    return changed;
  }

  #runRule(r, rigid) {
    const rule = this.rules[r];
    const rows = this.#rows(rule);
    const count = ways(rows);
    let changed = false;
    for (let n = 0; n < count; n++) {
      const match = chosen(rows, n);
      if ((n === 0 || this.#still(rule, match)) && this.#apply(rule, match, rigid)) changed = true;
    }
    if (count) this.#enqueue(r);
    return changed;
  }

  #enqueue(r) {
    const { commands } = this.rules[r];
    if (!commands || this.queue & CANCEL || (this.queue & RESTART && !(commands & CANCEL))) return;
    if (commands & (CANCEL | RESTART)) this.queue = 0;
    if (commands & MESSAGE && !(this.queue & MESSAGE)) this.said = r;
    this.queue |= commands;
  }

  /** The matches of each row of a rule, none if a row has none. A match has the start of each part. */
  #rows(rule) {
    this.#spend(1);
    if (!within(rule.needs, this.seen) || !within(rule.needsMoves, this.seenMoves)) return [];
    const rows = [];
    let product = 1;
    for (const parts of rule.rows) {
      const found = this.#matches(parts, rule.direction);
      if (!found.length) return [];
      rows.push(found);
      product *= found.length;
      if (product > this.limits.work) this.#spend(Infinity);
    }
    this.#spend(product);
    return rows;
  }

  #spend(work) {
    this.work += work;
    if (this.work > this.limits.work) throw new Endless(`expected rules that come to an end, got a turn that does not on ${this.count} cells`);
  }

  /** Where a row matches: starts in the order of scanning, gaps from small to large. */
  #matches(parts, direction) {
    const length = parts.reduce((sum, part) => sum + part.count, 0);
    const upright = direction <= DOWN;
    const onward = direction === DOWN || direction === RIGHT;
    const [outer, side] = upright ? [this.width, this.height] : [this.height, this.width];
    const step = this.step[direction];
    const found = [];
    this.#spend(Math.ceil(this.count / 8));
    for (let one = 0; one < outer; one++) {
      const [from, to] = onward ? [0, side - length] : [length - 1, side - 1];
      for (let inner = from; inner <= to; inner++) {
        const start = upright ? one * this.height + inner : inner * this.height + one;
        if (!this.#fits(parts[0], start, step)) continue;
        if (parts.length === 1) found.push([start]);
        else this.#gaps(parts, [start], (onward ? side - inner : inner + 1) - length, step, found);
      }
    }
    return found;
  }

  /** Adds the matches that begin with some parts, with all gaps before the next ones. */
  #gaps(parts, match, room, step, found) {
    const p = match.length;
    const next = match[p - 1] + step * parts[p - 1].count;
    for (let gap = 0; gap <= room; gap++) {
      this.#spend(1);
      const start = next + gap * step;
      if (!this.#fits(parts[p], start, step)) continue;
      if (p + 1 === parts.length) found.push([...match, start]);
      else this.#gaps(parts, [...match, start], room - gap, step, found);
    }
  }

  #fits({ first, count }, start, step) {
    for (let k = 0; k < count; k++) if (!this.#cell(first + k, start + k * step)) return false;
    return true;
  }

  /** Whether a cell of the board is what cell c of a rule asks for. */
  #cell(c, i) {
    const { objects, moves, masks, w, v } = this;
    for (let k = 0; k < w; k++) {
      const held = objects[i * w + k];
      if (masks.present[c * w + k] & ~held || masks.absent[c * w + k] & held) return false;
    }
    for (let k = 0; k < v; k++) {
      const held = moves[i * v + k];
      if (masks.moving[c * v + k] & ~held || masks.resting[c * v + k] & held) return false;
    }
    for (let a = masks.any_first[c]; a < masks.any_first[c] + masks.any_count[c]; a++) {
      let some = 0;
      for (let k = 0; k < w; k++) some |= masks.any_of[a * w + k] & objects[i * w + k];
      if (!some) return false;
    }
    return true;
  }

  #still({ rows, direction }, match) {
    return rows.every((parts, r) => parts.every((part, p) => this.#fits(part, match[r][p], this.step[direction])));
  }

  #apply(rule, match, rigid) {
    const step = this.step[rule.direction];
    const number = rule.rigid ? rigid : 0;
    let changed = false;
    rule.rows.forEach((parts, r) => parts.forEach(({ first, count }, p) => {
      for (let k = 0; k < count; k++) {
        if (this.masks.changes[first + k] && this.#change(first + k, match[r][p] + k * step, number)) changed = true;
      }
    }));
    return changed;
  }

  /** Changes cell i as cell c of a rule says, with what is drawn for it; whether anything is different then. */
  #change(c, i, number) {
    const { objects, moves, masks, w, v } = this;
    const choice = this.choices[c];
    const drawn = choice.length ? choice[this.dice.below(choice.length)] : -1;
    const layer = drawn < 0 ? -1 : this.tables.layer_of[drawn];
    let changed = false;
    for (let k = 0; k < w; k++) {
      const held = objects[i * w + k];
      let clear = masks.clear[c * w + k];
      let set = masks.set[c * w + k];
      if (drawn >= 0) clear |= this.layerSets[layer * w + k];
      if (drawn >> 5 === k) set |= 1 << (drawn & 31);
      objects[i * w + k] = (held & ~clear) | set;
      this.seen[k] |= objects[i * w + k];
      changed ||= objects[i * w + k] !== held;
    }
    for (let k = 0; k < v; k++) {
      const held = moves[i * v + k];
      let clear = masks.move_clear[c * v + k];
      let set = masks.move_set[c * v + k];
      if (drawn >= 0 && Math.floor(layer / LAYERS) === k) clear |= 31 << (5 * (layer % LAYERS));
      for (let shift = 0, turned = masks.random_dir[c * v + k]; turned >> shift; shift += 5) {
        if ((turned >> shift) & 1) set |= 1 << (shift + this.dice.below(4));
      }
      moves[i * v + k] = (held & ~clear) | set;
      this.seenMoves[k] |= moves[i * v + k];
      changed ||= moves[i * v + k] !== held;
    }
    return (number > 0 && this.#mark(c, i, number)) || changed;
  }

  /** Gives the layers that a rigid rule moves the number of its group; whether any had none yet. */
  #mark(c, i, number) {
    const { marked, rigid, masks, v } = this;
    let [unnumbered, unmarked] = [0, 0];
    for (let k = 0; k < v; k++) {
      const layers = masks.layers[c * v + k];
      unnumbered |= (layers / 31) * number & ~rigid[i * v + k];
      unmarked |= layers & ~marked[i * v + k];
    }
    if (!unnumbered || !unmarked) return false;
    for (let k = 0; k < v; k++) {
      const layers = masks.layers[c * v + k];
      rigid[i * v + k] |= (layers / 31) * number;
      marked[i * v + k] |= layers;
    }
    return true;
  }
}

/** Writes the union of the sets of all cells. */
function union(into, cells) {
  into.fill(0);
  for (let n = 0; n < cells.length; n++) into[n % into.length] |= cells[n];
}

const within = (some, all) => some.every((word, k) => !(word & ~all[k]));
const ways = (rows) => (rows.length ? rows.reduce((product, row) => product * row.length, 1) : 0);

/** The n-th combination of a match for each row: the first row varies fastest. */
function chosen(rows, n) {
  return rows.map((row) => {
    const match = row[n % row.length];
    n = Math.floor(n / row.length);
    return match;
  });
}
