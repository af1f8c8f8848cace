import type { LookupFunction } from "node:net";
import { isPublicAddress, literalAddress } from "./address.ts";
import { FetchFault } from "./fault.ts";
import type { FetchPolicy, FetchTarget } from "./target.ts";

const MOST_ADDRESSES = 4;

/** The addresses to connect to, in turn. A name with any address that is not public is refused as a whole. */
export async function pinAddresses(target: FetchTarget, policy: FetchPolicy): Promise<readonly string[]> {
  const literal = literalAddress(target.host);
  if (literal !== undefined) return [literal];
  const addresses = await resolved(target.host, policy);
  if (addresses.length === 0) throw new FetchFault("dns-failed", `The host ${target.host} has no IP address.`);
  const wrong = target.allowed ? undefined : addresses.find((address) => !isPublicAddress(address));
  if (wrong !== undefined) {
    throw new FetchFault("blocked-address", `${target.host} resolves to ${wrong}, which is not a public address.`);
  }
  return spread(addresses);
}

/** Both families come into play: a host whose IPv6 is broken has an address of IPv4 among the first two. */
function spread(addresses: readonly string[]): string[] {
  const [first] = addresses;
  const isOther = (address: string) => address.includes(":") !== first?.includes(":");
  const second = addresses.find(isOther);
  const inTurn = second === undefined ? addresses : [first as string, second, ...addresses];
  return [...new Set(inTurn)].slice(0, MOST_ADDRESSES);
}

async function resolved(host: string, policy: FetchPolicy): Promise<readonly string[]> {
  try {
    return await policy.resolve(host);
  } catch (error) {
    throw new FetchFault("dns-failed", `The host ${host} could not be resolved.`, error);
  }
}

/** A lookup with one fixed answer, so that no DNS query happens between the check and the connection. */
export function pinnedLookup(address: string): LookupFunction {
  const family = address.includes(":") ? 6 : 4;
  return (_host, options, done) => {
    if (options.all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}
