// Kernels of the library in a page: what is compiled runs here as WebAssembly, on memory of its own.
//
// `needs.toml` of a game names the kernels and constants that its scripts take; the server makes of it
// {libraries: {NAME: {tuples, kernels}}, constants: {MODULE: {NAME: value}}}. A type there is the name of a tuple, or
// a word of bits with the axes of an array: "i64", "u8[2]". A tuple is told as a list of [field, type], and given
// as an object with those fields.

/**
 * @typedef {{tuples: Object<string, [string, string][]>, kernels: Object<string, Entry[]>}} Layout of a library
 * @typedef {{symbol: string, takes: string[], returns: string}} Entry
 * @typedef {{module: WebAssembly.Module, layout: Layout}} Library
 */

const PAGE = 65536; // bytes
const SCRATCH = 4096; // bytes for what a kernel returns
const RESULT = 16; // of them come before the result
const BLOCK = 65536; // bytes for the arguments of a call
const LINE = 64; // bytes that arrays begin at a multiple of
const [MISFIT, NOTHING] = [1000, -2]; // of what an entry returns: arguments that it is not built for, a result of none
const ARRAYS = {
  u8: Uint8Array, b1: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, i32: Int32Array,
  u64: BigUint64Array, i64: BigInt64Array, f32: Float32Array, f64: Float64Array,
};
const NO_MEMORY = "the browser gives no more memory";
export const MISSING = "This browser has no WebAssembly, which levels are played by; a newer one has.";

/** Raised where the browser gives no more memory, or no more than was said to be enough. */
export class OutOfMemory extends Error {}

/** An array in the memory of kernels: `cells` are its numbers, valid until more memory is taken. */
class Cells {
  #memory;

  /** @param {WebAssembly.Memory} memory @param {string} word @param {number[]} shape @param {number} address */
  constructor(memory, word, shape, address) {
    [this.#memory, this.word, this.shape, this.address] = [memory, word, shape, address];
    this.length = product(shape);
    const steps = shape.map((_, i) => product(shape.slice(i + 1)) * ARRAYS[word].BYTES_PER_ELEMENT);
    this.words = BigInt64Array.from([address, ...shape, ...steps], BigInt); // that entries read
  }

  get cells() {
    return new ARRAYS[this.word](this.#memory.buffer, this.address, this.length);
  }

  get bytes() {
    return new Uint8Array(this.#memory.buffer, this.address, this.length * ARRAYS[this.word].BYTES_PER_ELEMENT);
  }

  /** The i-th of all its numbers, as a plain number. */
  at(i) {
    return Number(this.cells[i]);
  }

  put(i, value) {
    this.cells[i] = isWhole(this.word) ? BigInt(value) : value;
  }
}

/** A library that is ready to be called, with memory of its own for whoever works with it. */
export class Kernels {
  #memory;
  #entries;
  #layout;
  #scratch;
  #block;
  #end; // of what is taken
  #plans = new Map(); // of calls, by kernel

  /** @param {Library} library @param {number} most bytes */
  constructor({ module, layout }, most = 2 ** 30) {
    this.#memory = new WebAssembly.Memory({ initial: 16, maximum: Math.ceil(most / PAGE) + 16 });
    this.#entries = new WebAssembly.Instance(module, { env: { memory: this.#memory } }).exports;
    this.#layout = layout;
    this.#scratch = Math.ceil(this.#entries.__heap_base.value / LINE) * LINE;
    this.#block = this.#scratch + SCRATCH;
    this.#end = this.#block + BLOCK;
    this.#reach(this.#end);
  }

  /** An array of zeros. @param {string} word @param {...number} shape */
  array(word, ...shape) {
    const made = new Cells(this.#memory, word, shape, Math.ceil(this.#end / LINE) * LINE);
    this.#end = made.address + made.length * ARRAYS[word].BYTES_PER_ELEMENT;
    this.#reach(this.#end);
    return made;
  }

  /** A tuple: of each field an array that there is, the shape of one of zeros (a number for one axis), the numbers to
   * fill one of one axis, {shape, bytes} of one of any axes, or for a plain number its value; and the fields of a tuple
   * inside. @param {string} name @param {Object} fields */
  tuple(name, fields) {
    const make = (type, value) => {
      const axes = axesOf(type);
      if (this.#layout.tuples[type] && !Array.isArray(value)) return this.tuple(type, value);
      if (!axes || value instanceof Cells) return value;
      if (ArrayBuffer.isView(value)) return this.filled(wordOf(type), value);
      if (value.bytes) {
        const made = this.array(wordOf(type), ...value.shape);
        made.bytes.set(value.bytes);
        return made;
      }
      return this.array(wordOf(type), ...(typeof value === "number" ? [value] : value));
    };
    return Object.fromEntries(this.#layout.tuples[name].map(([field, type]) => [field, make(type, fields[field])]));
  }

  /** An array of one axis with these numbers, or of the axes of a `shape`.
   * @param {string} word @param {ArrayLike<*>} numbers @param {number[]} shape */
  filled(word, numbers, shape = [numbers.length]) {
    const made = this.array(word, ...shape);
    made.cells.set(isWhole(word) ? BigInt64Array.from(numbers, BigInt) : numbers);
    return made;
  }

  /** Arguments as the server tells them: tuples as objects or lists, an array as {word, shape, cells}, of zeros where
   * there are no cells, and numbers that are not exact here as texts. */
  laid(told) {
    if (typeof told === "string") return /^-?\d+$/.test(told) ? BigInt(told) : Number(told);
    if (Array.isArray(told)) return told.map((one) => this.laid(one));
    if (typeof told !== "object") return told;
    if (!told.shape) return Object.fromEntries(Object.entries(told).map(([name, one]) => [name, this.laid(one)]));
    return told.cells ? this.filled(told.word, told.cells, told.shape) : this.array(told.word, ...told.shape);
  }

  /** A copy of a tuple of another library: of its arrays; numbers are the same. @param {Object} tuple */
  copied(tuple) {
    return Object.fromEntries(Object.entries(tuple).map(([name, one]) => {
      if (!(one instanceof Cells)) return [name, one];
      const made = this.array(one.word, ...one.shape);
      made.cells.set(one.cells);
      return [name, made];
    }));
  }

  /** The first so many numbers of an array of one axis. */
  part(array, number) {
    return new Cells(this.#memory, array.word, [number], array.address);
  }

  /** Calls a kernel and gives what it returns: a number, a list, or null. @param {string} name @param {...*} values */
  call(name, ...values) {
    if (!this.#plans.has(name)) this.#plans.set(name, this.#layout.kernels[name].map((entry) => this.#plan(entry)));
    for (const { run, tuples, arrays, numbers, returns } of this.#plans.get(name)) {
      if (!this.#fits(values, tuples, arrays, numbers)) continue;
      this.#lay(values, arrays, numbers);
      const status = run(this.#block, this.#scratch);
      if (status >= MISFIT) continue;
      if (status !== 0 && status !== NOTHING) throw new Error(`the kernel ${name} failed with status ${status}`);
      return returns === "none" ? null : this.#read(returns, { at: this.#scratch + RESULT });
    }
    throw new Error(`the kernel ${name} takes other arguments`);
  }

  /** Where the arrays and numbers that an entry takes are in a list of arguments, in the order of its block. */
  #plan({ symbol, takes, returns }) {
    const plan = { run: this.#entries[symbol], returns, tuples: [], arrays: [], numbers: [] };
    const add = (type, path) => {
      const tuple = this.#layout.tuples[type];
      if (tuple) {
        plan.tuples.push({ path, size: tuple.length });
        for (const [field, inside] of tuple) add(inside, [...path, field]);
      } else if (axesOf(type)) {
        plan.arrays.push({ path, word: wordOf(type), axes: axesOf(type) });
      } else if (type !== "none") {
        plan.numbers.push({ path, word: type });
      }
    };
    takes.forEach((type, i) => add(type, [i]));
    return plan;
  }

  #fits(values, tuples, arrays, numbers) {
    const isOne = (tuple, size) => typeof tuple === "object" && (!Array.isArray(tuple) || tuple.length === size);
    return tuples.every(({ path, size }) => isOne(inside(values, path), size))
      && arrays.every(({ path, word, axes }) => {
        const array = inside(values, path);
        return array instanceof Cells && array.word === word && array.shape.length === axes;
      })
      && numbers.every(({ path }) => ["number", "bigint", "boolean"].includes(typeof inside(values, path)));
  }

  /** Writes the block of words that an entry reads: addresses, shapes and steps of arrays, and then plain numbers. */
  #lay(values, arrays, numbers) {
    const words = new BigInt64Array(this.#memory.buffer, this.#block, BLOCK / 8);
    let at = 0;
    for (const { path } of arrays) {
      const { words: told } = inside(values, path);
      words.set(told, at);
      at += told.length;
    }
    for (const { path, word } of numbers) {
      const value = inside(values, path);
      words[at] = 0n;
      new ARRAYS[word](this.#memory.buffer, this.#block + 8 * at, 1)[0] = isWhole(word) ? BigInt(value) : Number(value);
      at += 1;
    }
  }

  #read(type, place) {
    const tuple = this.#layout.tuples[type];
    if (tuple) return tuple.map(([, inside]) => this.#read(inside, place));
    if (type === "none") return null;
    const size = ARRAYS[type].BYTES_PER_ELEMENT;
    place.at = Math.ceil(place.at / size) * size;
    const [value] = new ARRAYS[type](this.#memory.buffer, place.at, 1);
    place.at += size;
    return type === "b1" ? value !== 0 : type === "i64" ? Number(value) : value;
  }

  #reach(end) {
    const missing = Math.ceil((end - this.#memory.buffer.byteLength) / PAGE);
    if (missing <= 0) return;
    try {
      this.#memory.grow(missing);
    } catch {
      throw new OutOfMemory(NO_MEMORY);
    }
  }
}

const product = (sides) => sides.reduce((one, other) => one * other, 1);
const inside = (values, path) => path.reduce((value, key) => value?.[key], values);
const wordOf = (type) => type.split("[")[0];
const axesOf = (type) => Number(/\[(\d)/.exec(type)?.[1] ?? 0);
const isWhole = (word) => word.endsWith("64") && word !== "f64";

/**
 * What a game's scripts take of the library, each file once: {libraries: {NAME: Library}, constants}.
 * @param {string} game @param {{kernels: function(string): Promise<Object>, wasm: function(string): Promise<ArrayBuffer>}} source
 */
export async function loaded(game, { kernels, wasm }) {
  if (typeof WebAssembly === "undefined") throw new Error(MISSING);
  const { libraries, constants } = await kernels(game);
  const found = await Promise.all(Object.entries(libraries).map(async ([name, layout]) =>
    [name, { module: await WebAssembly.compile(await wasm(name)), layout }]));
  return { libraries: Object.fromEntries(found), constants };
}

/** A source of what a page carries: the answers of the server, by name, with the files of the libraries packed and in
 * base 64. @param {Object<string, Object>} told */
export const carried = (told) => ({
  kernels: async (game) => told[game],
  wasm: async (name) => {
    const { wasm } = Object.values(told).find((one) => name in one.wasm);
    return unpacked(wasm[name]).arrayBuffer();
  },
});

/** What a page carries packed and in base 64, to be read as bytes or as JSON. @param {string} text */
export function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
}
