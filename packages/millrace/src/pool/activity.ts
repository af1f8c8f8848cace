/** Counts what is under way (claims, attempts, settles) and resolves when nothing is. */
export class Activity {
  #underWay = 0;
  #waiting: (() => void)[] = [];

  begin(): void {
    this.#underWay++;
  }

  end(): void {
    this.#underWay--;
    if (this.#underWay > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves at once if nothing is under way. */
  quiet(): Promise<void> {
    if (this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
