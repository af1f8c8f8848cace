// Stopping without a reset. Both runtimes close idle connections the moment they stop, and a busy client may have just
// sent its next request on one. So the server first tells its clients: for a moment it goes on answering, and every
// answer carries `Connection: close`. It stops when no request has come for QUIET_MS.

const QUIET_MS = 250;
const LONGEST_MS = 1_000;
const LOOK_MS = 25;

export class Drain {
  #stopping = false;
  #lastRequestAt = Number.NEGATIVE_INFINITY;

  requestCame(): void {
    this.#lastRequestAt = performance.now();
  }

  /** While the server stops, an answer is the last one of its connection. */
  lastOfConnection(response: Response): Response {
    if (this.#stopping) response.headers.set("connection", "close");
    return response;
  }

  /** Resolves when no client is busy any more, after a second at the latest. */
  async quiet(mostMs: number): Promise<void> {
    this.#stopping = true;
    const until = performance.now() + Math.min(mostMs, LONGEST_MS);
    for (let now = performance.now(); now < until; now = performance.now()) {
      if (now - this.#lastRequestAt >= QUIET_MS) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}
