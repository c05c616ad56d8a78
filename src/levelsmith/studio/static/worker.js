// Does in the background what takes longer than a frame. Between two steps of a work it listens, and says how far it is.
import { WORKS } from "./games/works.js";

const SLICE = 20; // milliseconds of work between two looks at what has come in
const { port1, port2 } = new MessageChannel();
const going = new Set(); // works that nobody has stopped

const resting = []; // works that wait for their turn
port1.onmessage = () => resting.shift()();

const rest = () => new Promise((done) => {
  resting.push(done);
  port2.postMessage(null);
});

async function work({ id, game, name, compiled, asked }) {
  going.add(id);
  try {
    const steps = WORKS[game][name](compiled, asked);
    for (let rested = performance.now(); going.has(id);) {
      const { done, value } = steps.next();
      if (done) {
        postMessage({ id, answer: value });
        return;
      }
      if (performance.now() < rested + SLICE) continue;
      postMessage({ id, progress: value });
      await rest();
      rested = performance.now();
    }
    postMessage({ id, stopped: true });
  } catch (error) {
    postMessage({ id, error: error.message });
  } finally {
    going.delete(id);
  }
}

addEventListener("message", ({ data }) => {
  if (data.name) work(data);
  else going.delete(data.id);
});
