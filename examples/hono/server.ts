import { serve } from "@hono/node-server";
import { Hono } from "hono";
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

const app = new Hono();
app.get("/", (c) => c.text("The application"));
app.all("/millrace/*", (c) => handler(c.req.raw));

const server = serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000) }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/millrace`);
});

process.once("SIGTERM", async () => {
  server.close();
  await millrace.stop();
});
