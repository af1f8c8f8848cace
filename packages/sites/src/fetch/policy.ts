import { lookup } from "node:dns/promises";
import type { FetchPolicy } from "./target.ts";

/** The policy an operator's settings make, with the system's resolver. */
export function fetchPolicy(settings: { ports?: readonly number[]; allow?: readonly string[] } = {}): FetchPolicy {
  return {
    ports: settings.ports ?? [],
    allow: new Set((settings.allow ?? []).map((place) => place.toLowerCase())),
    resolve: async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
  };
}
