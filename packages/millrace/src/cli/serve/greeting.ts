import type { Config } from "../../config.ts";
import type { Kind } from "../../index.ts";
import { samplePayload } from "../../job/kind/sample-payload.ts";
import { dataLocation } from "../engine.ts";

export function addressOf({ hostname, port }: { readonly hostname: string; readonly port: number }): string {
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

/** What a person needs to know when the server has started. */
export async function greeting(
  server: { readonly hostname: string; readonly port: number },
  config: Config,
  kinds: readonly Kind[],
): Promise<string> {
  const url = addressOf(server);
  return `
  Millrace listens on ${url}
  Dashboard           ${url}/ui/
  Kinds               ${kinds.map(({ name }) => name).join(", ") || "none"}
  Its data is in      ${dataLocation(config)}
  Try                 ${await firstJob(url, kinds)}
  Read                ${url}/docs

`;
}

/** A command that submits a job: of the kind `text`, which takes any text, or of the first kind with a sample payload. */
async function firstJob(url: string, kinds: readonly Kind[]): Promise<string> {
  if (kinds.length === 0 || kinds.some(({ name }) => name === "text")) return post(url, { payload: { text: "hello" } });
  for (const kind of kinds) {
    const payload = await samplePayload(kind);
    if (payload !== undefined) return post(url, { kind: kind.name, payload });
  }
  return `${url}/ui/submit`;
}

function post(url: string, body: object): string {
  const json = JSON.stringify(body).replaceAll('":', '": ').replaceAll("'", String.raw`'\''`);
  return `curl ${url}/jobs -H 'content-type: application/json' -d '${json}'`;
}
