// What jobs take and give. The web process and the worker import this package; it contains no processor.

import { defineKind } from "millrace";
import { z } from "zod";

/** Charges an order and packs it. */
export const order = defineKind({
  name: "order",
  payload: z.object({ id: z.string().min(1), cents: z.int().positive() }),
  result: z.object({ receipt: z.string(), parcel: z.string() }),
  uniqueKey: ({ id }) => id,
  ifUnique: "join",
});

/** Sums up the orders of a day. A schedule of the worker submits it. */
export const report = defineKind({
  name: "report",
  payload: z.object({ to: z.email() }),
  result: z.object({ lines: z.number() }),
});
