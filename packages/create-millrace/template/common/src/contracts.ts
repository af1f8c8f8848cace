// What jobs take and give. The web process imports this file only; the worker adds the processors in kinds.ts.

import { defineKind } from "millrace";
import { z } from "zod";

export const newUser = z.object({ name: z.string().trim().min(1).max(100), email: z.email() });

export const welcome = defineKind({
  name: "welcome",
  payload: newUser,
  result: z.object({ messageId: z.string() }),
  // A second sign-up with the same address joins the job that is under way.
  uniqueKey: ({ email }) => email,
  ifUnique: "join",
});

export const digest = defineKind({
  name: "digest",
  payload: z.object({ to: z.email() }),
  result: z.object({ messageId: z.string() }),
});

export const contracts = [welcome, digest];
