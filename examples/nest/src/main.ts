import "reflect-metadata";
import { Controller, Get, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
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

@Controller()
class AppController {
  @Get()
  hello(): string {
    return "The application";
  }
}

@Module({ controllers: [AppController] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ["error", "warn"] });
app.use("/millrace", toNodeHandler(handler));
await app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
console.log(`${await app.getUrl()}/millrace`);

process.once("SIGTERM", async () => {
  await millrace.stop();
  await app.close();
});
