import Fastify from "fastify";
import { defineKind, Millrace, sqlite } from "millrace";
import { createHandler, toNodeHandler } from "millrace/http";
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
const node = toNodeHandler(handler);

const app = Fastify();
app.get("/", () => "The application");
app.register(async (scope) => {
  // Millrace reads and bounds the bodies of its own routes.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
  for (const path of ["/millrace", "/millrace/*"]) {
    scope.all(path, (request, reply) => {
      reply.hijack();
      void node(request.raw, reply.raw);
    });
  }
});

const address = await app.listen({ port: Number(process.env["PORT"] ?? 3000), host: "127.0.0.1" });
console.log(`${address}/millrace`);

process.once("SIGTERM", async () => {
  await millrace.stop();
  await app.close();
});
