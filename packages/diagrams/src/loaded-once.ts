/** A value that is loaded when it is first needed. A load that failed is tried again the next time. */
export class LoadedOnce<Value> {
  readonly #load: () => Promise<Value>;
  #value: Promise<Value> | undefined;

  constructor(load: () => Promise<Value>) {
    this.#load = load;
  }

  get(): Promise<Value> {
    if (this.#value !== undefined) return this.#value;
    const value = this.#load();
    this.#value = value;
    value.catch(() => {
      if (this.#value === value) this.#value = undefined;
    });
    return value;
  }

  forget(): void {
    this.#value = undefined;
  }
}
