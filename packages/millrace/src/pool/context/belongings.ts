import type { Shareable, UniqueKey } from "../../job/context.ts";
import type { UndoStep } from "../../store/verbs/attempts.ts";
import type { AttemptLease } from "./attempt-lease.ts";
import { checkBytes, checkShareKey, checkUniqueKey } from "./checks.ts";
import type { AttemptPort } from "./port.ts";
import { storableText } from "./storable.ts";

const MAX_INFO_BYTES = 65_536;

/** What an attempt stores beside its job: artifacts, shared artifacts, a unique key and the blocks of limiters. */
export class Belongings {
  readonly #lease: AttemptLease;
  readonly #port: AttemptPort;

  constructor(lease: AttemptLease, port: AttemptPort) {
    this.#lease = lease;
    this.#port = port;
  }

  async keep(name: string, bytes: Uint8Array, contentType: string): Promise<void> {
    checkBytes(name, bytes);
    this.#lease.held(await this.#port.keepArtifact({ name, contentType, bytes }));
  }

  async unique(key: string): Promise<UniqueKey> {
    checkUniqueKey(key);
    return this.#lease.held(await this.#port.acquireUnique(key));
  }

  async share(shareable: Shareable, { named = true }: { named?: boolean }): Promise<string | undefined> {
    const { key, contentType, bytes, info = null } = shareable;
    checkShareKey(key);
    checkBytes(key, bytes);
    const artifact = { key, contentType, bytes, info: storableText(info, "info", MAX_INFO_BYTES) };
    return this.#lease.held(await this.#port.share(artifact, { named })).link;
  }

  async shared(key: string): Promise<Shareable | undefined> {
    const found = await this.#port.shared(key);
    return found && { ...found, info: JSON.parse(found.info) };
  }

  async undosLeft(): Promise<UndoStep[]> {
    return this.#lease.held(await this.#port.undosLeft());
  }

  async blockLimit(name: string, { forMs }: { forMs: number }): Promise<void> {
    this.#lease.held(await this.#port.blockLimiter(name, forMs));
  }
}
