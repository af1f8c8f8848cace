// Timers that end with the drawing they were set in: libraries made for pages start loops that never stop.

export class Timers {
  #drawing = 0;

  /** What is still waiting will not be called. */
  end(): void {
    this.#drawing++;
  }

  /** Next turn of the event loop: nothing is shown, so there is no frame to wait for. */
  soon(callback: (time: number) => void): number {
    const drawing = this.#drawing;
    setImmediate(() => {
      if (drawing === this.#drawing) callback(0);
    });
    return 0;
  }

  after(callback: () => void, delayMs: number): number {
    if (!(delayMs > 0)) return this.soon(callback);
    const drawing = this.#drawing;
    setTimeout(() => {
      if (drawing === this.#drawing) callback();
    }, delayMs).unref();
    return 0;
  }
}
