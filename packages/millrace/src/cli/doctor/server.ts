import { createServer } from "node:net";
import { createClient, MillraceError } from "../../client/index.ts";
import { type Config, isLoopback } from "../../config.ts";
import { localUrl } from "../connect.ts";
import { duration } from "../output/format.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const ANSWER_MS = 3_000;
const MOST_APART_MS = 2_000;

/** Findings about the port, which is free, ours or taken, and what a running server reports of itself. */
export async function serverFindings(config: Config): Promise<Finding[]> {
  const exposed = exposure(config);
  if (config.port === 0) return [ok("port", "any free port (PORT=0)"), ...exposed];
  const taken = await whyNotFree(config);
  if (taken === undefined) return [ok("port", `${config.host}:${config.port} is free`), ...exposed];
  if (taken !== "EADDRINUSE") {
    return [
      fail(
        "port",
        `${config.host}:${config.port} cannot be used: ${taken}`,
        "Set HOST to an address of this machine, and PORT to a free port.",
      ),
      ...exposed,
    ];
  }
  return [...(await whoAnswers(config)), ...exposed];
}

async function whoAnswers(config: Config): Promise<Finding[]> {
  const where = `${config.host}:${config.port}`;
  const client = createClient({ baseUrl: localUrl(config), apiKey: config.apiKey, timeoutMs: ANSWER_MS });
  try {
    const { status, uptime, timestamp, problems = [], unserved = [] } = await client.health();
    if (!["ok", "degraded", "error"].includes(status)) throw new MillraceError("bad-answer", "no answer from /health");
    // An application that mounts Millrace answers its own probes.
    const isServer = typeof uptime === "number";
    const port = ok(
      "port",
      isServer
        ? `${where} is served by Millrace, up ${duration(uptime * 1_000)}`
        : `${where} is used by an application that answers /health`,
    );
    const apart = Math.abs(Date.parse(timestamp) - Date.now());
    const findings = [port];
    if (status === "error")
      findings.push(fail("server", problems.join("; ") || "unhealthy", "See its log, and docs/operate.md."));
    else if (status === "degraded")
      findings.push(warn("server", problems.join(" ") || "degraded", "See its log, and docs/operate.md."));
    else findings.push(ok("server", "well"));
    if (unserved.length > 0) {
      findings.push(
        warn(
          "server",
          `no process serves ${unserved.join(", ")}`,
          "Start a process that has these kinds: millrace work --load <file>.",
        ),
      );
    }
    if (apart > MOST_APART_MS + ANSWER_MS)
      findings.push(
        warn(
          "server",
          `its clock differs from this machine's by ${duration(apart)}`,
          "Let the same time service set both clocks.",
        ),
      );
    return findings;
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    return [fail("port", `another program uses ${where}`, "Stop it, or set PORT to another port.")];
  }
}

/** Why the address cannot be listened on. Undefined: it can. */
function whyNotFree({ host, port }: Config): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

function exposure({ host, apiKey, allowAnonymous }: Config): Finding[] {
  if (isLoopback(host))
    return [ok("access", apiKey === undefined ? "only this machine, without a key" : "only this machine, with a key")];
  if (apiKey !== undefined) return [ok("access", `${host}, with a key`)];
  if (allowAnonymous) return [warn("access", `everyone who can reach ${host} is the administrator`, "Set API_KEY.")];
  return [fail("access", `HOST is ${host} and there is no API_KEY`, "Set API_KEY, or HOST=127.0.0.1.")];
}
