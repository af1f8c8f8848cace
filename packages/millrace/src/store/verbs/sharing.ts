// Shared artifacts: bytes that outlive the job that made them, kept once under a key and found by links.

import type { Lease } from "../../job/lease.ts";

export interface SharingVerbs {
  /**
   * Keeps bytes beyond the job's own life, under a key that says everything they were made from. Bytes under a key never
   * change: if the key exists, the first bytes stay. With `named`, the job refers to them (nothing evicts them while it is kept)
   * and its tenant gets a link. Without, they are found by their key only.
   */
  share(lease: Lease, artifact: SharedArtifact, options: { named: boolean }): Promise<ShareAnswer>;
  /**
   * The tenant's link to the bytes under the key, made when it is first asked for. Undefined if nothing is kept. A link has 12
   * random letters and digits, lasts as long as the bytes are kept, and never leads to anything else afterwards.
   */
  linkTo(tenant: string, key: string): Promise<Link | undefined>;
  shared(key: string): Promise<SharedArtifact | undefined>;
  /** The artifact behind a link, and the tenant of the link. */
  linked(link: string): Promise<LinkedArtifact | undefined>;
  /** Marks artifacts as read now. `prune` deletes those that were not read for the longest time. Unknown keys are ignored. */
  markRead(keys: string[]): Promise<void>;
}

/** `info` is JSON that the producer of the bytes stores beside them. */
export interface SharedArtifact {
  /** 1 to 255 characters. */
  key: string;
  contentType: string;
  bytes: Uint8Array;
  info: string;
}

export type ShareAnswer = "lease-lost" | { link?: string };

export interface Link {
  link: string;
  info: string;
}

export interface LinkedArtifact extends SharedArtifact {
  tenant: string;
  createdAt: number;
}
