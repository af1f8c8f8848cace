import ipaddr from "ipaddr.js";

/** The address of the client. Behind proxies, X-Forwarded-For tells it, as far as trusted ones have written it. */
export class ClientAddresses {
  readonly #trusted: readonly Range[];

  /** Addresses and ranges in CIDR notation, as `TRUSTED_PROXIES` has them. */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = trustedProxies.map(rangeOf);
  }

  of(request: Request, peer: string | undefined): string | undefined {
    if (peer === undefined || this.#trusted.length === 0 || !this.isTrusted(peer)) return peer;
    const chain = (request.headers.get("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
    // From the right: each trusted proxy has appended the address that it saw. Further left stands what clients made up.
    let client = peer;
    for (const part of chain.reverse()) {
      const address = withoutPort(part);
      if (!ipaddr.isValid(address)) break;
      client = address;
      if (!this.isTrusted(address)) break;
    }
    return client;
  }

  isTrusted(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.#trusted.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
  }
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

function rangeOf(text: string): Range {
  if (text.includes("/")) return ipaddr.parseCIDR(text) as Range;
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711`, as some proxies write it. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  return bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}

const IPV6_NETWORK_BITS = 64;

/** Whom misses are counted for: an IPv4 address, or the network of an IPv6 one, of which a client has as many as it likes. */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.replace(/%.*$/, "")}/${IPV6_NETWORK_BITS}`).toString();
}
