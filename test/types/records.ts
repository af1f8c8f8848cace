// Compiled by tsc, never run: a record has the type that comes back, not the one that went in.

import { z } from "zod";
import type { Millrace, Records, StoredRecord } from "../../packages/millrace/src/index.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_same: Same<A, B>): void {}

declare const millrace: Millrace;

// Without a schema: what JSON makes of it.
const visits = millrace.records<{ at: Date; count: number }>("visits");
same<typeof visits, Records<{ at: string; count: number }, { at: Date; count: number }>>(true);
export const visit: Promise<StoredRecord<{ at: string; count: number }> | undefined> = visits.get("a");
void visits.put("a", { at: new Date(), count: 1 });
// @ts-expect-error: "count" is missing.
void visits.put("a", { at: new Date() });
void visits.update("a", (current) => ({ at: new Date(current?.at ?? 0), count: (current?.count ?? 0) + 1 }));
void visits.update("a", async () => undefined);
// @ts-expect-error: the value may be missing.
void visits.update("a", ({ count }) => ({ at: new Date(), count }));

// Without a type: nothing is known of it.
const anything = millrace.records("anything");
same<typeof anything, Records<unknown, unknown>>(true);

// With a schema: what it takes, and what it gives.
const schema = z.object({ at: z.coerce.date<Date>(), count: z.number().default(0) });
const checked = millrace.records("visits", { schema });
same<typeof checked, Records<{ at: Date; count: number }, { at: Date; count?: number | undefined }>>(true);
void checked.put("a", { at: new Date() });
// @ts-expect-error: "count" is a number.
void checked.put("a", { at: new Date(), count: "1" });
export const total = async (): Promise<number | undefined> =>
  (await checked.list({ prefix: "a" })).records[0]?.value.count;

const named = millrace.records<{ name: string }>("named", { schema: z.object({ name: z.string() }) });
same<typeof named, Records<{ name: string }>>(true);

// @ts-expect-error: an unknown option.
void visits.put("a", { at: new Date(), count: 1 }, { ttlMs: 5 });
