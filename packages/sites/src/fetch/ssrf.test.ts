// runtimes: both

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { isPublicAddress } from "./address.ts";
import { FetchFault } from "./fault.ts";
import { fetchGuarded } from "./fetch.ts";
import type { FetchPolicy } from "./target.ts";

// A server on loopback that nobody may reach: its port is allowed, so only the check of the address stands in the way.
let marker: Server;
let hits = 0;
let port = 0;

before(async () => {
  marker = createServer((_request, response) => {
    hits++;
    response.end("secret");
  });
  marker.on("connection", () => hits++);
  marker.listen(0, "0.0.0.0");
  await once(marker, "listening");
  port = (marker.address() as AddressInfo).port;
});

after(() => {
  marker.close();
  assert.equal(hits, 0, "nothing reached the forbidden socket");
});

/** Hosts as they may stand in a URL. All of them lead to this machine or its neighbourhood, or nowhere. */
const LITERALS = [
  ...["127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.1", "0x7f.0.0.1"],
  ...[
    "0177.0.0.1",
    "0177.1",
    "017700000001",
    "127.0.0.1.",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "127%2e0%2e0%2e1",
    "%31%32%37.0.0.1",
  ],
  ...["0.0.0.0", "0", "0x0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "167772161", "172.16.0.1", "172.31.255.254"],
  ...[
    "192.168.0.1",
    "192.168.1.254",
    "0xc0a80001",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "0251.0376.0251.0376",
  ],
  ...["100.64.0.1", "100.127.255.254", "192.0.0.1", "192.0.0.170", "192.0.2.1", "198.18.0.1", "198.19.255.255"],
  ...["198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "192.88.99.1"],
  ...[
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:0:7f00:1]",
  ],
  ...["[::ffff:10.0.0.1]", "[::ffff:169.254.169.254]", "[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]"],
  ...[
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2001::7f00:1]",
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
  ],
  ...[
    "[fe80::1]",
    "[febf::1]",
    "[fc00::1]",
    "[fd12:3456:789a::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[100::1]",
  ],
  ...["[3fff::1]", "[5f00::1]", "[::7f00:1]"],
];

/** Names, and what a resolver says of them. */
const NAMES: Record<string, string[]> = {
  localhost: ["127.0.0.1", "::1"],
  "localhost.": ["127.0.0.1"],
  LOCALHOST: ["127.0.0.1"],
  "sub.localhost": ["127.0.0.1"],
  "metadata.google.internal": ["169.254.169.254"],
  "intranet.example": ["10.1.2.3"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "nat64.example": ["64:ff9b::7f00:1"],
  "zero.example": ["0.0.0.0"],
  "v6.example": ["::1"],
  "one-public-one-private.example": ["93.184.215.14", "127.0.0.1"],
  "private-last.example": ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "192.168.0.1"],
  "zoned.example": ["fe80::1%eth0"],
  "nonsense.example": ["not-an-address"],
  "127.0.0.1.nip.example": ["127.0.0.1"],
};

const policy = (): FetchPolicy => ({
  ports: [port],
  allow: new Set(),
  resolve: async (host) => NAMES[host] ?? NAMES[host.toLowerCase()] ?? [],
});

async function refusal(url: string, using: FetchPolicy = policy()): Promise<FetchFault> {
  const fault = await fetchGuarded(url, { policy: using, limits: { totalMs: 5_000 } }).then(
    ({ status }) => assert.fail(`${url} was fetched: ${status}`),
    (error: unknown) => error,
  );
  assert.ok(fault instanceof FetchFault, `${url}: ${String(fault)}`);
  return fault;
}

describe("addresses that are not public", () => {
  test("there are at least 60 forms of them here", () => {
    assert.ok(LITERALS.length >= 60, String(LITERALS.length));
  });

  for (const host of LITERALS) {
    test(`http://${host} is refused`, async () => {
      const fault = await refusal(`http://${host}:${port}/`);
      assert.ok(fault.code === "blocked-address" || fault.code === "bad-url", fault.message);
    });
  }

  for (const host of Object.keys(NAMES)) {
    test(`the name ${host}, which leads to one, is refused`, async () => {
      assert.equal((await refusal(`http://${host}:${port}/`)).code, "blocked-address");
    });
  }

  test("public ones are known as such", () => {
    for (const address of [
      "93.184.215.14",
      "1.1.1.1",
      "8.8.8.8",
      "172.32.0.1",
      "11.0.0.1",
      "2606:4700::1111",
      "2a00:1450::1",
    ])
      assert.equal(isPublicAddress(address), true, address);
  });
});

describe("other ways in", () => {
  test("only http and https, only the usual ports, no credentials", async () => {
    for (const url of [
      "file:///etc/passwd",
      "ftp://example.com/",
      "gopher://127.0.0.1:70/",
      "data:text/html,x",
      "javascript:1",
      "//x",
      "",
      "http://",
    ])
      assert.equal((await refusal(url)).code, "bad-url", url);
    assert.equal((await refusal("http://user:pass@example.com/")).code, "bad-url");
    for (const other of [22, 25, 3306, 6379, 8080]) {
      const fault = await refusal(`http://93.184.215.14:${other}/`);
      assert.equal(fault.code, "blocked-address");
      assert.match(fault.message, /Port \d+ is not allowed/);
    }
  });

  test("a name that changes its address between check and connection is connected to where it was checked", async (t) => {
    const good = createServer((_request, response) => response.end("good")).listen(0, "127.0.0.1");
    t.after(() => good.close());
    await once(good, "listening");
    const place = (good.address() as AddressInfo).port;
    let asked = 0;
    const rebinding: FetchPolicy = {
      ports: [],
      allow: new Set([`rebind.test:${place}`]),
      // The second answer would be the marker, which listens on every address of this machine.
      resolve: async () => (++asked === 1 ? ["127.0.0.1"] : ["127.0.0.2"]),
    };
    const { body } = await fetchGuarded(`http://rebind.test:${place}/`, { policy: rebinding });
    assert.equal(Buffer.from(body).toString(), "good");
    assert.equal(asked, 1);
  });

  test("a redirect is checked like a first address, and no socket is used again", async (t) => {
    let sockets = 0;
    const server = createServer((request, response) => {
      const to = new URL(request.url ?? "/", "http://x").searchParams.get("to") ?? "/";
      response.writeHead(302, { location: to }).end();
    }).listen(0, "127.0.0.1");
    server.on("connection", () => sockets++);
    t.after(() => server.close());
    await once(server, "listening");
    const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const allowing: FetchPolicy = { ...policy(), allow: new Set([place]) };
    const targets = [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://[::1]:${port}/`,
      `http://2130706433:${port}/`,
    ];
    for (const to of [
      ...targets,
      "http://169.254.169.254/latest/meta-data/",
      "http://intranet.example/",
      `//127.0.0.1:${port}/x`,
    ]) {
      const fault = await refusal(`http://${place}/?to=${encodeURIComponent(to)}`, allowing);
      assert.equal(fault.code, "blocked-address", to);
    }
    for (const to of ["file:///etc/passwd", "ftp://example.com/", "http://a:b@example.com/"]) {
      assert.equal((await refusal(`http://${place}/?to=${encodeURIComponent(to)}`, allowing)).code, "bad-url", to);
    }
    const before = sockets;
    const loop = await refusal(`http://${place}/?to=${encodeURIComponent(`http://${place}/`)}`, allowing);
    assert.equal(loop.code, "too-many-redirects");
    assert.equal(sockets - before, 6, "a new connection for every hop");
  });

  test("what the operator allows is one host and one port", async (t) => {
    const server = createServer((_request, response) => response.end("own site")).listen(0, "127.0.0.1");
    t.after(() => server.close());
    await once(server, "listening");
    const own = (server.address() as AddressInfo).port;
    const allowing: FetchPolicy = { ...policy(), allow: new Set([`127.0.0.1:${own}`]) };
    const { status, body } = await fetchGuarded(`http://127.0.0.1:${own}/`, { policy: allowing });
    assert.deepEqual([status, Buffer.from(body).toString()], [200, "own site"]);
    assert.equal((await refusal(`http://localhost:${own}/`, allowing)).code, "blocked-address");
    assert.equal((await refusal(`http://127.0.0.1:${port}/`, allowing)).code, "blocked-address");
  });
});
