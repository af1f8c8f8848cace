import type { Config } from "../../config.ts";
import type { Kind } from "../../index.ts";
import { dataLocation } from "../engine.ts";

export function addressOf({ hostname, port }: { readonly hostname: string; readonly port: number }): string {
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

/** What a person needs to know when the server has started. */
export function greeting(
  server: { readonly hostname: string; readonly port: number },
  config: Config,
  kinds: readonly Kind[],
): string {
  const url = addressOf(server);
  return `
  Millrace listens on ${url}
  Dashboard           ${url}/ui/
  Kinds               ${kinds.map(({ name }) => name).join(", ") || "none"}
  Its data is in      ${dataLocation(config)}
  Try                 ${firstJob(url, kinds)}
  Read                ${url}/docs

`;
}

/** A command that submits a job: of the kind `text`, which takes any text, or of the first kind there is. */
function firstJob(url: string, kinds: readonly Kind[]): string {
  const [first] = kinds;
  if (first === undefined || kinds.some(({ name }) => name === "text"))
    return post(url, { payload: { text: "hello" } });
  return post(url, { kind: first.name, payload: first.examples[0] ?? {} });
}

function post(url: string, body: object): string {
  const json = JSON.stringify(body).replaceAll('":', '": ').replaceAll("'", String.raw`'\''`);
  return `curl ${url}/jobs -H 'content-type: application/json' -d '${json}'`;
}
