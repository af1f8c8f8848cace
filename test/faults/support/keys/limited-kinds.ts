// Kinds whose running jobs are limited: by key, in all, by a limit that two of them share, and in order.

import { z } from "zod";
import { defineKind } from "../../../../packages/millrace/src/index.ts";

const payload = z.object({ key: z.string(), n: z.number() });
export type Limited = z.infer<typeof payload>;

export const LIMITS = { gpu: { total: 5 } };
export const PER_KEY = 2;
export const TOTAL = 4;

type Work = (kind: string, limited: Limited, attempt: number) => Promise<void>;

export const KINDS = (work: Work) => [
  defineKind({
    name: "keyed",
    payload,
    concurrency: { key: ({ key }) => key, perKey: PER_KEY, total: TOTAL, limits: ["gpu"] },
    run: (ctx, limited) => work("keyed", limited, ctx.attempt),
  }),
  defineKind({
    name: "sharing",
    payload,
    concurrency: { limits: ["gpu"] },
    run: (ctx, limited) => work("sharing", limited, ctx.attempt),
  }),
  defineKind({
    name: "ordered",
    payload,
    concurrency: { key: ({ key }) => key, ordered: true },
    run: (ctx, limited) => work("ordered", limited, ctx.attempt),
  }),
];
