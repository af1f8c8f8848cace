import { resolve } from "node:path";
import type { Config } from "../../config.ts";
import { createApp } from "../../http/app.ts";
import { type Served, serve } from "../../runtime/serve.ts";
import { createLog, type Log } from "../../telemetry/log.ts";
import { type Engine, openEngine } from "../engine.ts";
import { loadConfigOrComplain } from "../load.ts";
import { onStopSignals } from "../signals.ts";

export async function serveCommand(): Promise<number> {
  const config = loadConfigOrComplain({ listens: true });
  if (config === undefined) return 2;
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  // Before the engine opens, so that a signal during a slow start is heard too.
  const signals = onStopSignals();
  const engine = await openEngine(config, log);
  let server: Served;
  try {
    server = await listen(config, engine, log);
  } catch (error) {
    await engine.stop({ graceMs: 0 });
    process.stderr.write(`millrace: ${whyNotListening(error, config)}\n`);
    return 1;
  }
  greet(server, config);
  log.info("server started", { host: server.hostname, port: server.port, runtime: runtimeName() });

  const signal = await signals.first;
  log.info("drain started", { signal, graceMs: config.shutdownGraceMs });
  void signals.second.then((again) => hurry(again, engine, server, log));
  await Promise.all([
    server.stop({ graceMs: config.shutdownGraceMs }),
    engine.stop({ graceMs: config.shutdownGraceMs }),
  ]);
  log.info("stopped");
  return 0;
}

async function listen(config: Config, engine: Engine, log: Log): Promise<Served> {
  const startedAt = performance.now();
  const fetch = createApp({
    health: () => engine.health(),
    uptimeMs: () => performance.now() - startedAt,
    now: () => new Date(),
  });
  return serve({ hostname: config.host, port: config.port, fetch, log });
}

function hurry(signal: string, engine: Engine, server: Served, log: Log): void {
  log.warn("drain hurried", { signal });
  void engine.stop({ graceMs: 0 });
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

function whyNotListening(error: unknown, config: Config): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `port ${config.port} on ${config.host} is taken. Set PORT to another one, or to 0.`;
  return `could not listen on ${config.host}:${config.port}: ${error instanceof Error ? error.message : error}`;
}
