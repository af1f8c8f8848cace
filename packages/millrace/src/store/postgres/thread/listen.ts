import { GrowingPause } from "../../../lib/growing-pause.ts";
import { PostgresConnection } from "../connection/connection.ts";
import type { DatabaseTarget } from "../connection/target.ts";
import { channelOf } from "./wake.ts";

const PAUSES = { firstMs: 50, longestMs: 1_000 };

/**
 * Listens to other processes. Only this needs a session of its own. Behind a transaction pooler it receives nothing,
 * and polling finds the work.
 */
export class WakeListener {
  readonly #target: DatabaseTarget;
  readonly #heard: (from: number, words: string[]) => void;
  #connection: PostgresConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #pause = new GrowingPause(PAUSES);
  #stopped = false;

  constructor(target: DatabaseTarget, heard: (from: number, words: string[]) => void) {
    this.#target = target;
    this.#heard = heard;
    if (target.prepare) void this.#connect();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#connection?.close();
  }

  async #connect(): Promise<void> {
    try {
      const session = { application_name: "millrace listener" };
      const connection = await PostgresConnection.open({ url: this.#target.url, session, prepare: false });
      if (this.#stopped) return void connection.close();
      this.#connection = connection;
      connection.onEnd(() => this.#again());
      await connection.listen(channelOf(this.#target.schema), (payload) => {
        const [from, ...words] = payload.split(" ");
        this.#heard(Number(from), words);
      });
      this.#pause.reset();
      // Notifications sent during the outage are lost, so everything that waits looks once.
      this.#heard(0, ["work", "revoked"]);
    } catch {
      this.#again();
    }
  }

  #again(): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), this.#pause.begin());
  }
}
