// Chance from a seed, the same at the start of every drawing: hand-drawn strokes and generated ids come out alike each time.

const SEED = 0x9e3779b9;

export class SeededRandom {
  #state = SEED;

  restart(): void {
    this.#state = SEED;
  }

  /** mulberry32. */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
