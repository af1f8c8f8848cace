import type { Bytes } from "../lib/bytes.ts";

/** A shared artifact, as read through a link. */
export interface OpenedLink {
  /** The tenant that the link belongs to. */
  tenant: string;
  /** The key that it was shared under. */
  key: string;
  /** The media type of the bytes. */
  contentType: string;
  /** The bytes themselves. */
  bytes: Bytes;
  /** The JSON that was stored with the bytes. */
  info: unknown;
  /** When it was shared first. */
  createdAt: Date;
}
