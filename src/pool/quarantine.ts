/**
 * One suspect at a time per process: if it kills the process, it takes no other suspect along. A claim asks for the
 * place before it knows whether it will find a suspect; whoever was refused meanwhile is told when it is free again.
 */
export class Quarantine {
  #taken = false;
  readonly #refused = new Set<() => void>();

  take(whenFree: () => void): boolean {
    if (this.#taken) {
      this.#refused.add(whenFree);
      return false;
    }
    this.#taken = true;
    return true;
  }

  leave(): void {
    this.#taken = false;
    const refused = [...this.#refused];
    this.#refused.clear();
    for (const tell of refused) tell();
  }
}
