/** Many numbers, kept to tell their quantiles. */
export class Samples {
  #values = new Float64Array(1_024);
  #count = 0;
  #sum = 0;
  #isSorted = true;

  add(value: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(this.#count * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count++] = value;
    this.#sum += value;
    this.#isSorted = false;
  }

  get count(): number {
    return this.#count;
  }

  get mean(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  /** The value that this share of all values does not exceed; 0 without values. */
  quantile(share: number): number {
    const values = this.#values.subarray(0, this.#count);
    if (!this.#isSorted) values.sort();
    this.#isSorted = true;
    return values[Math.min(this.#count - 1, Math.max(0, Math.ceil(share * this.#count) - 1))] ?? 0;
  }
}
