import ipaddr from "ipaddr.js";
import { z } from "zod";

/** Published address ranges by bot: `{ "GPTBot": ["20.42.10.176/28"] }`. */
export const BotRanges = z.record(z.string(), z.array(z.string()));

export type Verification = "verified" | "unverified" | "forged";

/** Says of an address whether it is the bot's. Throws for a range that is none. */
export function verifierOf(
  given: Readonly<Record<string, readonly string[]>>,
): (bot: string, ip: string) => Verification {
  const ranges = new Map(
    Object.entries(given).map(([bot, cidrs]) => [bot.toLowerCase(), cidrs.map((cidr) => rangeOf(bot, cidr))]),
  );
  const known = new Map<string, Verification>();
  return (bot, ip) => {
    const own = ranges.get(bot.toLowerCase());
    if (own === undefined) return "unverified";
    const key = `${bot} ${ip}`;
    const verdict = known.get(key) ?? (isWithin(ip, own) ? "verified" : "forged");
    if (known.size < MOST_KNOWN) known.set(key, verdict);
    return verdict;
  };
}

const MOST_KNOWN = 100_000;

type Range = ReturnType<typeof ipaddr.parseCIDR>;

function rangeOf(bot: string, cidr: string): Range {
  try {
    return ipaddr.parseCIDR(cidr.includes("/") ? cidr : `${cidr}/${cidr.includes(":") ? 128 : 32}`);
  } catch {
    throw new Error(`Invalid address range "${cidr}" for ${bot}. Use CIDR notation, such as 20.42.10.176/28.`);
  }
}

function isWithin(ip: string, ranges: readonly Range[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));
}
