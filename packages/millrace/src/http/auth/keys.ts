import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { AccessVerbs, ApiKey } from "../../store/verbs/access.ts";

/** `mr_<id>_<secret>`: the id finds the row, the secret is compared with its hash. Only the hash is stored. */
const SHAPE = /^mr_([a-z0-9]{12})_([A-Za-z0-9_-]{43})$/;
const CACHE_MS = 1_000;
const NO_HASH = "0".repeat(64);

export function newKey(
  key: Pick<ApiKey, "name" | "tenant" | "scopes"> & { expiresAt?: number },
  now: number,
): { key: ApiKey; secret: string } {
  const id = randomBytes(9).toString("hex").slice(0, 12);
  const secret = randomBytes(32).toString("base64url");
  return { key: { ...key, id, secretHash: hashOf(secret), createdAt: now }, secret: `mr_${id}_${secret}` };
}

/** The id in a key of the right shape. It finds the key and opens nothing, so a log may have it. */
export function idInKey(text: string): string | undefined {
  return SHAPE.exec(text)?.[1];
}

export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Compares two secrets in constant time, whatever their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(given), "hex"), Buffer.from(hashOf(expected), "hex"));
}

/** Looks keys up. A valid key is trusted for a second, so that a revoked one is refused within a second everywhere. */
export class KeyRing {
  readonly #store: Pick<AccessVerbs, "keys">;
  readonly #known = new Map<string, { key: ApiKey; until: number }>();

  constructor(store: Pick<AccessVerbs, "keys">) {
    this.#store = store;
  }

  async find(text: string, now: number): Promise<ApiKey | undefined> {
    const [, id, secret] = SHAPE.exec(text) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    const key = await this.#look(id, now);
    // The hash is compared even if the key is unknown, so that the time tells nothing.
    const same = timingSafeEqual(Buffer.from(hashOf(secret), "hex"), Buffer.from(key?.secretHash ?? NO_HASH, "hex"));
    return same && key && isInForce(key, now) ? key : undefined;
  }

  /** Finds the key of a session, which has proven itself otherwise. */
  async findById(id: string, now: number): Promise<ApiKey | undefined> {
    const key = await this.#look(id, now);
    return key && isInForce(key, now) ? key : undefined;
  }

  forget(id: string): void {
    this.#known.delete(id);
  }

  async #look(id: string, now: number): Promise<ApiKey | undefined> {
    const cached = this.#known.get(id);
    return cached && cached.until > now ? cached.key : this.#load(id, now);
  }

  async #load(id: string, now: number): Promise<ApiKey | undefined> {
    const [key] = await this.#store.keys(id);
    if (this.#known.size > 10_000) this.#known.clear();
    if (key) this.#known.set(id, { key, until: now + CACHE_MS });
    return key;
  }
}

function isInForce({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > now);
}
