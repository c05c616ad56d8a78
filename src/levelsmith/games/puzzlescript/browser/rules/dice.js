// The random numbers of PuzzleScript: RC4, keyed by a text.

export class Dice {
  #state = Uint8Array.from({ length: 256 }, (_, i) => i);
  #i = 0;
  #j = 0;

  constructor(seed) {
    const key = [...seed].flatMap((letter) => bytesOf(letter.codePointAt(0)));
    if (!key.length) key.push(0);
    for (let i = 0, j = 0; i < 256; i++) {
      j = (j + this.#state[i] + key[i % key.length]) & 255;
      this.#swap(i, j);
    }
  }

  /** A whole number from 0 to below `count`. */
  below(count) {
    const high = this.#number(4);
    return Math.floor((high * 2 ** 24 + this.#number(3)) / 2 ** 56 * count);
  }

  #number(bytes) {
    let drawn = 0;
    for (let n = 0; n < bytes; n++) drawn = drawn * 256 + this.#byte();
    return drawn;
  }

  #byte() {
    const state = this.#state;
    this.#i = (this.#i + 1) & 255;
    this.#j = (this.#j + state[this.#i]) & 255;
    this.#swap(this.#i, this.#j);
    return state[(state[this.#i] + state[this.#j]) & 255];
  }

  #swap(i, j) {
    [this.#state[i], this.#state[j]] = [this.#state[j], this.#state[i]];
  }
}

/** A number in bytes, the highest first. */
function bytesOf(number) {
  return number < 256 ? [number] : [...bytesOf(Math.floor(number / 256)), number & 255];
}
