import { defineKind, Millrace, sqlite } from "millrace";
import { createHandler, type Handler } from "millrace/http";
import { z } from "zod";

export const greet = defineKind({
  name: "greet",
  payload: z.object({ name: z.string() }),
  run: (_ctx, { name }) => `Hello ${name}`,
});

// Your application's own sign-in belongs here. This one is a cookie with a secret.
const secret = process.env["SESSION_SECRET"] ?? "change-me";

async function open(): Promise<{ millrace: Millrace; handler: Handler }> {
  const millrace = await Millrace.open({ store: sqlite("./jobs.db"), kinds: [greet] });
  const handler = createHandler(millrace, {
    basePath: "/millrace",
    auth: (request) => {
      const session = /(?:^|; )session=([^;]*)/.exec(request.headers.get("cookie") ?? "")?.[1];
      return session === secret ? { name: "ada", tenant: "*", scopes: ["admin"] } : undefined;
    },
  });
  return { millrace, handler };
}

// On globalThis: Next.js loads this module again on every change during development, and the engine must stay one.
const shared = globalThis as { millraceOfApp?: ReturnType<typeof open> };

/** Opened by the first request, not by `next build`. */
export function engine(): ReturnType<typeof open> {
  shared.millraceOfApp ??= open();
  return shared.millraceOfApp;
}
