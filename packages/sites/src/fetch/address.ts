import ipaddr from "ipaddr.js";

// What ipaddr.js calls unicast includes old corners of IPv6 that lead back to IPv4 (`::127.0.0.1`); all that is routed on the
// internet lies in this block.
const ROUTED_V6 = ipaddr.parseCIDR("2000::/3");

/** True only for an address on the open internet: no loopback, private, link-local, shared, mapped or reserved one. */
export function isPublicAddress(text: string): boolean {
  const address = parsed(text);
  if (address === undefined || address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || address.match(ROUTED_V6 as [ipaddr.IPv6, number]);
}

/** The address a URL's host is, if it is one: `URL` has made every odd spelling (`0x7f.1`, `2130706433`) plain by then. */
export function literalAddress(urlHost: string): string | undefined {
  const bare = urlHost.startsWith("[") && urlHost.endsWith("]") ? urlHost.slice(1, -1) : urlHost;
  return parsed(bare) === undefined ? undefined : bare;
}

function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // Four parts exactly: what `isValid` would take beyond that is no address as a resolver gives it.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}
