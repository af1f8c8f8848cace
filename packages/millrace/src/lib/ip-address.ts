// IP addresses as numbers. An IPv4 address in the clothes of IPv6 (`::ffff:10.0.0.7`) counts as the IPv4 address it is, since
// a socket that listens on both reports its peers that way.

import { isIP } from "node:net";

export interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** All addresses whose first `prefix` bits are those of `value`. */
export interface IpRange extends IpAddress {
  readonly prefix: number;
}

const MAPPED = 0xffffn;
const MAPPED_BITS = 96;
const LOW_32 = 0xffff_ffffn;

/** Parses `10.0.0.7`, `2001:db8::1` or `fe80::1%eth0`. Undefined: the string is not an address. */
export function parseAddress(text: string): IpAddress | undefined {
  const range = parsePlain(text);
  return range && unmapped({ ...range, prefix: range.bits });
}

/** Parses `10.0.0.0/8`, `2001:db8::/32` or a single address. Undefined: the string is neither. */
export function parseRange(text: string): IpRange | undefined {
  const [, plain = text, digits] = /^(.*)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parsePlain(plain);
  if (address === undefined) return undefined;
  const prefix = digits === undefined ? address.bits : Number(digits);
  return prefix > address.bits ? undefined : unmapped({ ...address, prefix });
}

export function contains(range: IpRange, address: IpAddress): boolean {
  const shift = BigInt(range.bits - range.prefix);
  return range.bits === address.bits && range.value >> shift === address.value >> shift;
}

function parsePlain(text: string): IpAddress | undefined {
  const family = isIP(text);
  if (family === 4) return { bits: 32, value: numberOf(text.split("."), 10, 8n) };
  return family === 6 ? { bits: 128, value: numberOf(groupsOf(text.replace(/%.*$/, "")), 16, 16n) } : undefined;
}

/** The eight groups of an address that is known to be IPv6. */
function groupsOf(text: string): string[] {
  const hex = text.replace(/\d+\.\d+\.\d+\.\d+$/, (tail) => {
    const value = numberOf(tail.split("."), 10, 8n);
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
  });
  const [left = [], right = []] = hex.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  return [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
}

function numberOf(parts: readonly string[], radix: number, bitsEach: bigint): bigint {
  return parts.reduce((value, part) => (value << bitsEach) | BigInt(Number.parseInt(part, radix)), 0n);
}

function unmapped(range: IpRange): IpRange {
  const isMapped = range.bits === 128 && range.value >> 32n === MAPPED && range.prefix >= MAPPED_BITS;
  return isMapped ? { bits: 32, value: range.value & LOW_32, prefix: range.prefix - MAPPED_BITS } : range;
}
