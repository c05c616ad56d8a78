// Runs built kernels as WebAssembly for the tests: reads calls from standard input, writes what came of them.
//
// A call is a line of JSON and then the bytes of memory that it names:
//   {library, symbol, block, sizes}  the file, the entry, the words of the block (an array of texts; one that
//                                    begins with "@" is "@region+offset"), and the bytes of each region.
// The answer is a line {status} and then the bytes of the scratch and of every region.

import { readFileSync, readSync, writeSync } from "node:fs";

const SCRATCH = 4096;
const PAGE = 65536;
const loaded = new Map();

function load(path) {
  if (!loaded.has(path)) {
    const module = new WebAssembly.Module(readFileSync(path));
    const memory = new WebAssembly.Memory({ initial: 64, maximum: 65536 });
    const instance = new WebAssembly.Instance(module, { env: { memory } });
    loaded.set(path, { memory, entries: instance.exports });
  }
  return loaded.get(path);
}

function read(into) {
  for (let at = 0; at < into.length; ) {
    const count = readSync(0, into, at, into.length - at);
    if (count === 0) process.exit(0);
    at += count;
  }
}

function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at, bytes.length - at);
}

function answer({ library, symbol, block, sizes }) {
  const { memory, entries } = load(library);
  const scratch = Math.ceil(entries.__heap_base.value / 64) * 64;
  const first = scratch + SCRATCH;
  const places = [];
  let end = first + 8 * block.length;
  for (const size of sizes) {
    end = Math.ceil(end / 64) * 64;
    places.push(end);
    end += size;
  }
  const missing = Math.ceil((end - memory.buffer.byteLength) / PAGE);
  if (missing > 0) memory.grow(missing);
  const bytes = new Uint8Array(memory.buffer);
  sizes.forEach((size, i) => read(bytes.subarray(places[i], places[i] + size)));
  bytes.fill(0, scratch, first);
  const words = new BigInt64Array(memory.buffer, first, block.length);
  block.forEach((word, i) => {
    const [region, offset] = word.slice(1).split("+").map(Number);
    words[i] = word[0] === "@" ? BigInt(places[region] + offset) : BigInt(word);
  });
  const status = entries[symbol](first, scratch);
  write(Buffer.from(JSON.stringify({ status }) + "\n"));
  write(bytes.subarray(scratch, first));
  sizes.forEach((size, i) => write(bytes.subarray(places[i], places[i] + size)));
}

const length = new Uint8Array(4);
for (;;) {
  read(length);
  const text = new Uint8Array(new DataView(length.buffer).getUint32(0, true));
  read(text);
  answer(JSON.parse(new TextDecoder().decode(text)));
}
