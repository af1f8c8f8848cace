import type { StoredType } from "../job/wait.ts";

/** The key of a wait among those of its stage. */
export function waitKey({ type, name }: { type: StoredType; name: string }): string {
  return `${type} ${name}`;
}
