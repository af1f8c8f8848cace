import type { Bytes } from "../lib/bytes.ts";

/** Bytes that a job produced, stored with it under a name. */
export interface Artifact {
  /** The name that the processor gave it. */
  name: string;
  /** The media type that the processor gave it. */
  contentType: string;
  /** The bytes themselves. */
  bytes: Bytes;
}
