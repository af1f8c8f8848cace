// Clients, with the calls of a workload's own.

import { ask, type ClientPart, createClient, MillraceError } from "millrace/client";
import type { contract, staged } from "./kinds.ts";

type Members<T> = {
  [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result ? [Args, Result] : T[Name];
};

export const client = createClient({ baseUrl: "" });
export const typed = createClient<{ staged: typeof staged; order: typeof contract }>({ baseUrl: "" });
export const pings = ((connection) => ({
  ping: async () => ask(connection, "GET /ping", {}),
})) satisfies ClientPart<object>;
export const extended = typed.with(pings);
export const calls = {
  submit: () => typed.submit("staged", { url: "" }),
  wait: () => typed.wait("job_4fQ81xZa"),
  list: () => client.list(),
  explain: (id: string) => client.explain(id),
  attempts: (id: string) => client.attempts(id),
  metrics: () => client.metrics(),
  health: () => client.health(),
  kinds: () => client.kinds(),
  pools: () => client.pools(),
  deployments: () => client.deployments(),
  schedules: () => client.schedules.list(),
  keys: () => client.keys.list(),
  audit: () => client.audit(),
  letters: () => client.deadLetters.list(),
};
export const download = async (id: string) => new Response((await client.artifact(id, "a")).bytes).status;
export const clientMembers = {} as Members<typeof client>;
export const extendedMembers = {} as Members<typeof extended>;
export const failed = (error: unknown) => (error instanceof MillraceError ? error.issues : []);
