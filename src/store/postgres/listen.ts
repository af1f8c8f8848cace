import type postgres from "postgres";
import type { Target } from "./target.ts";
import { channelOf } from "./wake.ts";

/**
 * Hears what other processes say. The one thing that needs a session of its own: behind a transaction pooler it hears
 * nothing, and polling does the work.
 */
export class Listener {
  readonly #client: postgres.Sql<{ bigint: number }>;
  readonly #listening: Promise<unknown>;

  constructor(target: Target, heard: (from: number, words: string[]) => void) {
    this.#client = target.connect({
      max: 1,
      connect_timeout: 3,
      backoff: (attempts: number) => Math.min(1, 0.05 * 2 ** attempts),
      connection: { application_name: "millrace listener" },
    });
    this.#listening = this.#client
      .listen(channelOf(target.schema), (payload) => {
        const [from, ...words] = payload.split(" ");
        heard(Number(from), words);
      })
      .catch(() => {});
  }

  async stop(): Promise<void> {
    await Promise.race([this.#listening, new Promise((resolve) => setTimeout(resolve, 500))]);
    await this.#client.end({ timeout: 0 });
  }
}
