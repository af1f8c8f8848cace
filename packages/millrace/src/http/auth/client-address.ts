import { AppError } from "../../lib/app-error.ts";
import { contains, type IpRange, parseAddress, parseRange } from "../../lib/ip-address.ts";

/** The address of the client. Behind proxies, X-Forwarded-For tells it, as far as trusted ones have written it. */
export class ClientAddresses {
  readonly #trusted: readonly IpRange[];

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
      if (parseAddress(address) === undefined) break;
      client = address;
      if (!this.isTrusted(address)) break;
    }
    return client;
  }

  isTrusted(text: string): boolean {
    const address = parseAddress(text);
    return address !== undefined && this.#trusted.some((range) => contains(range, address));
  }
}

function rangeOf(text: string): IpRange {
  const range = parseRange(text);
  if (range === undefined) {
    throw new AppError("options-invalid", `trustedProxies: "${text}" is not an IP address or a range.`, {
      hint: "Write an address like 10.0.0.7 or a range like 10.0.0.0/8.",
    });
  }
  return range;
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711`, as some proxies write it. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  return bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}

/** The network of an address, to count misses for: an IPv4 address itself, or the /64 of an IPv6 address. */
export function networkOf(text: string | undefined): string {
  const address = parseAddress(text ?? "");
  if (address === undefined) return "unknown";
  if (address.bits === 32) return partsOf(address.value, 4, 8n).join(".");
  const groups = partsOf(address.value >> 64n, 4, 16n).map((group) => group.toString(16));
  return `${groups.join(":").replace(/(^|:)0(:0)*$/, "")}::`;
}

function partsOf(value: bigint, count: number, bitsEach: bigint): bigint[] {
  return Array.from(
    { length: count },
    (_, i) => (value >> (BigInt(count - 1 - i) * bitsEach)) & ((1n << bitsEach) - 1n),
  );
}
