import type { Core } from "../core.ts";

const GET = "SELECT value FROM meta WHERE name = ?";
const SET = "UPDATE meta SET value = ? WHERE name = ?";

/** Job keys are handed out by our own counter: unlike a row id it never comes back, and it costs one write a commit. */
export interface Meta {
  readonly idSecret: string;
  nextJobKey(): number;
  flush(): void;
  reset(): void;
}

export function readMeta(core: Core): Meta {
  const idSecret = (core.statement(GET).get("id_secret") as { value: string }).value;
  // Read once in each transaction that needs it: another process may have moved it since.
  let next: number | undefined;
  return {
    idSecret,
    nextJobKey() {
      next ??= Number((core.statement(GET).get("next_job") as { value: string }).value);
      return next++;
    },
    flush() {
      if (next !== undefined) core.statement(SET).run(String(next), "next_job");
      next = undefined;
    },
    reset() {
      next = undefined;
    },
  };
}
