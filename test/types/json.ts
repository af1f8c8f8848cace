// Compiled by tsc, never run: types say what comes back from JSON, not what went in.

import { z } from "zod";
import { defineKind, type Json, type Jsonified, type Millrace, moduleOf } from "../../packages/millrace/src/index.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_same: Same<A, B>): void {}

// What JSON keeps stays as it is, with its literals, brands and names.
same<Jsonified<{ a: string; b?: number; c: ("x" | "y")[] }>, { a: string; b?: number; c: ("x" | "y")[] }>(true);
same<Jsonified<Json>, Json>(true);
same<Jsonified<unknown>, unknown>(true);
// biome-ignore lint/suspicious/noExplicitAny: any stays any
same<Jsonified<any>, any>(true);
same<Jsonified<never>, never>(true);
same<Jsonified<[number, Date]>, [number, string]>(true);
same<Jsonified<readonly Date[]>, readonly string[]>(true);
same<Jsonified<Record<string, Date>>, Record<string, string>>(true);
same<Jsonified<string & { readonly brand: "id" }>, string & { readonly brand: "id" }>(true);

// What JSON writes otherwise.
same<Jsonified<Date>, string>(true);
same<Jsonified<Date | undefined>, string | null>(true);
same<Jsonified<void>, null>(true);
same<Jsonified<{ at: Date; gone: undefined; maybe: URL | undefined }>, { at: string; gone?: never; maybe?: string }>(
  true,
);
same<Jsonified<{ price: { toJSON(): { cents: number } } }>, { price: { cents: number } }>(true);
class Order {
  readonly at = new Date();
  readonly lines: { sku: string }[] = [];
  total(): number {
    return this.lines.length;
  }
}
same<Jsonified<Order>, { at: string; lines: { sku: string }[] }>(true);

// What is refused at run time has no values.
same<Jsonified<Map<string, string> | Set<number> | bigint | symbol | Uint8Array | Promise<number> | RegExp>, never>(
  true,
);
same<Jsonified<(string | undefined)[]>, string[]>(true);
same<Jsonified<{ failed: { name: string; message: string } }>, { failed: { name: string; message: string } }>(true);

interface Tree {
  at: Date;
  children: Tree[];
}
export function deep(tree: Jsonified<Tree>): string | undefined {
  return tree.children[0]?.children[0]?.at;
}

const payload = z.object({ when: z.iso.datetime(), since: z.coerce.date<string>() });
const dates = defineKind({ name: "dates", payload })
  .stage("first", {
    run: async (ctx, input) => {
      // The schema parses the payload after JSON, so its own transforms hold.
      same<typeof input, { when: string; since: Date }>(true);
      const charged = await ctx.step("charge", () => ({ at: new Date(), ref: undefined as string | undefined }));
      same<typeof charged, { at: string; ref?: string }>(true);
      const nothing = await ctx.step("nothing", () => {});
      same<typeof nothing, null>(true);
      return { at: new Date(), tags: new Set<string>() };
    },
  })
  .stage("second", {
    run: (_ctx, input) => {
      same<typeof input, { at: string; tags: never }>(true);
      return new Date(input.at);
    },
  });

const silent = defineKind({ name: "silent", payload, run: async () => {} });
const isolated = defineKind({
  name: "isolated",
  payload,
  isolation: "process",
  module: moduleOf<{ default: () => Promise<{ at: Date }> }>(new URL("file:///x.ts")),
});

export async function results(millrace: Millrace): Promise<void> {
  const date = await (await millrace.submit(dates, { when: "", since: "" })).wait();
  same<typeof date, string>(true);
  const nothing = await (await millrace.submit(silent, { when: "", since: "" })).wait();
  same<typeof nothing, null>(true);
  const made = await (await millrace.submit(isolated, { when: "", since: "" })).wait();
  same<typeof made, { at: string }>(true);
}
