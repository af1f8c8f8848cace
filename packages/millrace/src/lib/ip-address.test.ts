import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { describe, test } from "node:test";
import fc from "fast-check";
import { contains, parseAddress, parseRange } from "./ip-address.ts";

const isIn = (range: string, address: string) => {
  const [parsedRange, parsedAddress] = [parseRange(range), parseAddress(address)];
  assert.ok(parsedRange && parsedAddress, `${range} ${address}`);
  return contains(parsedRange, parsedAddress);
};

describe("a range contains", () => {
  test("its addresses, and no others", () => {
    for (const [range, inside, outside] of [
      ["10.0.0.0/8", "10.255.255.255", "11.0.0.0"],
      ["10.0.0.7", "10.0.0.7", "10.0.0.8"],
      ["10.1.2.3/8", "10.0.0.1", "9.255.255.255"],
      ["192.168.0.0/31", "192.168.0.1", "192.168.0.2"],
      ["2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"],
      ["::1", "0:0:0:0:0:0:0:1", "::2"],
      ["fe80::/10", "fe80::1%eth0", "fec0::1"],
      ["::/0", "ffff::", "1.2.3.4"],
      ["0.0.0.0/0", "255.255.255.255", "::1"],
    ] as const) {
      assert.equal(isIn(range, inside), true, `${inside} in ${range}`);
      assert.equal(isIn(range, outside), false, `${outside} in ${range}`);
    }
  });

  test("IPv4 addresses that a dual socket reports as IPv6, in either spelling", () => {
    for (const address of ["::ffff:10.0.0.7", "::FFFF:a00:7", "0:0:0:0:0:ffff:10.0.0.7"]) {
      assert.equal(isIn("10.0.0.0/8", address), true, address);
      assert.equal(isIn("::ffff:10.0.0.0/104", address), true, address);
      assert.equal(isIn("11.0.0.0/8", address), false, address);
    }
    assert.equal(isIn("10.0.0.0/8", "::10.0.0.7"), false, "the old compatible form is not IPv4");
    assert.equal(isIn("10.0.0.0/8", "::ffff:0:10.0.0.7"), false, "nor is the translated form");
  });
});

test("what is no address is refused", () => {
  for (const wrong of ["", " ", "10.0.0", "010.0.0.1", "0x7f.0.0.1", "2130706433", "1.2.3.256", "1::2::3", "[::1]"]) {
    assert.equal(parseAddress(wrong), undefined, wrong);
    assert.equal(parseRange(wrong), undefined, wrong);
  }
  for (const wrong of [
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "/8",
    "::ffff:1.2.3.4/129",
  ]) {
    assert.equal(parseRange(wrong), undefined, wrong);
  }
});

test("it agrees with the runtime's own lists on any range and address", () => {
  const v4 = fc.tuple(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.constant("ipv4" as const));
  const v6 = fc.tuple(fc.ipV6(), fc.ipV6(), fc.integer({ min: 0, max: 128 }), fc.constant("ipv6" as const));
  // Two random addresses share few bits: one that differs from the range in one bit decides more often.
  const near = fc
    .tuple(fc.bigInt(0n, 2n ** 32n - 1n), fc.integer({ min: 0, max: 31 }), fc.integer({ min: 0, max: 32 }))
    .map(
      ([value, bit, prefix]) => [dotted(value), dotted(value ^ (1n << BigInt(bit))), prefix, "ipv4" as const] as const,
    );
  fc.assert(
    fc.property(fc.oneof(v4, v6, near), ([range, address, prefix, family]) => {
      const list = new BlockList();
      list.addSubnet(range, prefix, family);
      assert.equal(
        isIn(`${range}/${prefix}`, address),
        list.check(address, family),
        `${address} in ${range}/${prefix}`,
      );
    }),
    { numRuns: 300 },
  );
});

function dotted(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
}
