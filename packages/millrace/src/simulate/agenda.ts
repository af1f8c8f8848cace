/** What happens at which moment, the earliest first; of one moment, in the order in which it was added. A binary heap. */
export class Agenda<Entry> {
  readonly #heap: { at: number; order: number; entry: Entry }[] = [];
  #added = 0;

  add(at: number, entry: Entry): void {
    const heap = this.#heap;
    const item = { at, order: this.#added++, entry };
    let index = heap.length;
    heap.push(item);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above] as typeof item;
      if (!comesBefore(item, parent)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = item;
  }

  /** The moment of the next entry; `Infinity` without one. */
  get nextAt(): number {
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  take(): Entry | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first?.entry;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      const [left, right] = [heap[below], heap[below + 1]];
      if (left === undefined) break;
      if (right !== undefined && comesBefore(right, left)) below++;
      const child = heap[below] as typeof last;
      if (!comesBefore(child, last)) break;
      heap[index] = child;
      index = below;
    }
    heap[index] = last;
    return first.entry;
  }
}

function comesBefore(a: { at: number; order: number }, b: { at: number; order: number }): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
