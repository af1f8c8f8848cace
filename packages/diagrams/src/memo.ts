/** What a pure function gave for its last texts: it is asked with the same few over and over. */
export class Memo<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(text: string, make: (text: string) => Value): Value {
    let value = this.#values.get(text);
    if (value === undefined) {
      value = make(text);
      if (this.#values.size >= this.#most) this.#values.clear();
      this.#values.set(text, value);
    }
    return value;
  }
}
