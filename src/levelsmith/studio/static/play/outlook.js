// Whether a game can still be won, found out in the background while it is played.

export class Outlook {
  #prove;
  #positions;
  #told;
  #known = new WeakMap(); // what was proved, by position
  #asked = null;

  /** `prove(position, {signal})` gives {status, …}; `positions()` are those of the game so far, from the start on; of
   * each that is lost so are those behind it. `told(lost)` gets {first, proof} where it is lost: the place of the first
   * such position, and what was proved about the last; else null. */
  constructor({ prove, positions, told }) {
    [this.#prove, this.#positions, this.#told] = [prove, positions, told];
  }

  /** Whether it is still being found out. */
  isLooking = false;

  /** Looks anew; what was looked for before is dropped. */
  async look() {
    this.stop();
    const { signal } = this.#asked = new AbortController();
    this.isLooking = true;
    try {
      const found = await this.#lost(this.#positions(), signal);
      if (!signal.aborted) this.#told(found);
    } catch (error) {
      if (error.name !== "AbortError") this.#told(null); // nobody can say
    } finally {
      if (this.#asked.signal === signal) this.isLooking = false;
    }
  }

  stop() {
    this.#asked?.abort();
  }

  /** What is proved about a position. */
  async proof(position, options) {
    if (!this.#known.has(position)) {
      const proof = await this.#prove(position, options);
      if (proof.status !== "unknown") this.#known.set(position, proof);
      return proof;
    }
    return this.#known.get(position);
  }

  async #lost(positions, signal) {
    const isLost = async (i) => (await this.proof(positions[i], { signal })).status === "unsolvable";
    if (!(await isLost(positions.length - 1))) return null;
    let won = positions.findLastIndex((one) => this.#known.get(one)?.status === "solved");
    let first = positions.length - 1;
    while (first - won > 1) {
      const middle = (won + first) >> 1;
      if (await isLost(middle)) first = middle;
      else won = middle;
    }
    return { first, proof: await this.proof(positions.at(-1), { signal }) };
  }
}
