import { resolve } from "node:path";
import type { Config } from "../../config.ts";
import { createApp } from "../../http/app.ts";
import { AppError, messageOf } from "../../lib/app-error.ts";
import type { Millrace } from "../../millrace.ts";
import { type Served, serve } from "../../runtime/serve.ts";
import { createLog, type Log } from "../../telemetry/log.ts";
import { openEngine, poolProblems } from "../engine.ts";
import { loadConfigOrComplain } from "../load.ts";
import { onStopSignals } from "../signals.ts";

export async function serveCommand(): Promise<number> {
  const config = loadConfigOrComplain({ listens: true });
  if (config === undefined) return 2;
  const misnamed = poolProblems(config);
  if (misnamed.length > 0) {
    process.stderr.write(`millrace: ${misnamed.join("\nmillrace: ")}\n`);
    return 2;
  }
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  // Before the engine opens, so that a signal during a slow start is heard too.
  const signals = onStopSignals();
  const fatal = Promise.withResolvers<Error>();
  let engine: Millrace;
  let server: Served;
  try {
    engine = await openEngine(config, log, fatal.resolve);
  } catch (error) {
    process.stderr.write(`millrace: ${whyNotOpen(error)}\n`);
    return 1;
  }
  try {
    server = await listen(config, engine, log);
  } catch (error) {
    await engine.stop({ graceMs: 0 });
    process.stderr.write(`millrace: ${whyNotListening(error, config)}\n`);
    return 1;
  }
  greet(server, config);
  log.info("server started", { host: server.hostname, port: server.port, runtime: runtimeName() });

  const why = await Promise.race([signals.first, fatal.promise]);
  const failed = why instanceof Error;
  log.info("stopping", { ...(failed ? { error: why } : { signal: why }), graceMs: config.shutdownGraceMs });
  void signals.second.then((again) => hurry(again, engine, server, log));
  const drained = Promise.all([
    server.stop({ graceMs: config.shutdownGraceMs }),
    engine.stop({ graceMs: config.shutdownGraceMs }),
  ]);
  if (!failed) await drained;
  // A store that failed, or processors that hang, may never let go: their leases expire, and a supervisor starts anew.
  else await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, config.shutdownGraceMs + 2_000))]);
  log.info("stopped");
  return failed ? 1 : 0;
}

async function listen(config: Config, engine: Millrace, log: Log): Promise<Served> {
  const startedAt = performance.now();
  const fetch = createApp({
    health: () => engine.health(),
    uptimeMs: () => performance.now() - startedAt,
    now: () => new Date(),
  });
  return serve({ hostname: config.host, port: config.port, fetch, log });
}

function hurry(signal: string, engine: Millrace, server: Served, log: Log): void {
  log.warn("drain hurried", { signal });
  void engine.stop({ hurry: true });
  void server.stop({ graceMs: 0 });
}

// For people, so on standard error: standard output carries log lines only, which programs read.
function greet(server: Served, config: Config): void {
  const host = server.hostname.includes(":") ? `[${server.hostname}]` : server.hostname;
  const url = `http://${host}:${server.port}`;
  const data = config.databaseUrl === undefined ? resolve(config.jobDbPath) : "PostgreSQL (DATABASE_URL)";
  process.stderr.write(`
  Millrace listens on ${url}
  Its data is in      ${data}
  Try                 curl ${url}/health

`);
}

function runtimeName(): string {
  return process.versions["bun"] ? `bun ${process.versions["bun"]}` : `node ${process.versions.node}`;
}

function whyNotOpen(error: unknown): string {
  const hint = error instanceof AppError && error.hint ? ` ${error.hint}` : "";
  return `could not open the store: ${messageOf(error)}${hint}`;
}

function whyNotListening(error: unknown, config: Config): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `port ${config.port} on ${config.host} is taken. Set PORT to another one, or to 0.`;
  return `could not listen on ${config.host}:${config.port}: ${error instanceof Error ? error.message : error}`;
}
