import { defineKind, Millrace, sqlite } from "millrace";
import { createHandler } from "millrace/http";
import { z } from "zod";

const greet = defineKind({
  name: "greet",
  payload: z.object({ name: z.string() }),
  run: (_ctx, { name }) => `Hello ${name}`,
});

const millrace = await Millrace.open({ store: sqlite("./jobs.db"), kinds: [greet] });

// Your application's own sign-in belongs here. This one is a cookie with a secret.
const secret = process.env["SESSION_SECRET"] ?? "change-me";
const handler = createHandler(millrace, {
  basePath: "/millrace",
  auth: (request) => {
    const session = /(?:^|; )session=([^;]*)/.exec(request.headers.get("cookie") ?? "")?.[1];
    return session === secret ? { name: "ada", tenant: "*", scopes: ["admin"] } : undefined;
  },
});

const server = Bun.serve({
  port: Number(process.env["PORT"] ?? 3000),
  // Requests that wait for a job are quiet for up to 30 s; Bun cuts connections after 10 s by default.
  idleTimeout: 60,
  fetch: (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/millrace" || pathname.startsWith("/millrace/")) return handler(request);
    return new Response("The application");
  },
});
console.log(`http://127.0.0.1:${server.port}/millrace`);

process.once("SIGTERM", async () => {
  await millrace.stop();
  await server.stop();
});
