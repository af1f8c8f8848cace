import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ClientAddresses, networkOf } from "./client-address.ts";

const forwarded = (chain: string) => new Request("http://localhost/", { headers: { "x-forwarded-for": chain } });

describe("the address of a client behind trusted proxies", () => {
  const addresses = new ClientAddresses(["10.0.0.0/8", "2001:db8::/32"]);

  test("is the first from the right that no trusted proxy has", () => {
    for (const [chain, client] of [
      ["198.51.100.7", "198.51.100.7"],
      ["6.6.6.6, 198.51.100.7, 10.1.1.1", "198.51.100.7"],
      ["198.51.100.7:4711, 10.1.1.1", "198.51.100.7"],
      ["[2001:db9::7]:4711, 2001:db8::1", "2001:db9::7"],
      ["6.6.6.6, nonsense, 10.1.1.1", "10.1.1.1"],
      ["6.6.6.6, 0x7f.1, 10.1.1.1", "10.1.1.1"],
    ] as const) {
      assert.equal(addresses.of(forwarded(chain), "::ffff:10.0.0.1"), client, chain);
    }
  });

  test("is the peer's own where no trusted proxy asks", () => {
    assert.equal(addresses.of(forwarded("198.51.100.7"), "11.0.0.1"), "11.0.0.1");
    assert.equal(new ClientAddresses([]).of(forwarded("198.51.100.7"), "10.0.0.1"), "10.0.0.1");
  });

  test("a proxy that is no address is named at once", () => {
    assert.throws(() => new ClientAddresses(["10.0.0.0/33"]), /"10.0.0.0\/33" is not an IP address or a range/);
  });
});

test("misses are counted for an IPv4 address or for the network of an IPv6 one", () => {
  for (const [address, network] of [
    ["198.51.100.7", "198.51.100.7"],
    ["::ffff:198.51.100.7", "198.51.100.7"],
    ["2001:db8::1", "2001:db8::"],
    ["2001:db8:0:1:2:3:4:5", "2001:db8:0:1::"],
    ["fe80::1%eth0", "fe80::"],
    ["::1", "::"],
    ["nonsense", "unknown"],
    [undefined, "unknown"],
  ] as const) {
    assert.equal(networkOf(address), network);
  }
});
