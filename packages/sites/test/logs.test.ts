import assert from "node:assert/strict";
import { test } from "node:test";
import { botOf } from "../src/logs/bots.ts";
import { parseLine } from "../src/logs/parse-line.ts";
import { verifierOf } from "../src/logs/ranges.ts";
import { LogTally } from "../src/logs/tally.ts";

const AGENT = (product: string) => `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${product})`;
const combined = (ip: string, path: string, status: number, agent: string) =>
  `${ip} - - [19/Nov/2026:20:11:08 +0000] "GET ${path} HTTP/1.1" ${status} 512 "https://a.example/\\"x" "${agent}"`;

test("bots are told apart by what they fetch for, and longer names are not shorter ones", () => {
  assert.deepEqual(
    [
      "GPTBot/1.2",
      "OAI-SearchBot/1.0",
      "ChatGPT-User/1.0",
      "Claude-SearchBot/1.0",
      "Claude-User/1.0",
      "ClaudeBot/1.0",
    ].map((product) => botOf(AGENT(product))?.purpose),
    ["training", "search", "user", "search", "user", "training"],
  );
  assert.equal(botOf("Mozilla/5.0 (Windows NT 10.0) Chrome/140"), undefined);
  assert.equal(botOf("NotGPTBot-really/1.0"), undefined);
});

test("lines of Apache, nginx, Caddy and Cloudflare are read, and others are counted as unreadable", () => {
  const expected = { ip: "20.42.10.180", path: "/bread", status: 200, agent: "GPTBot/1.2", day: "2026-11-19" };
  assert.deepEqual(parseLine(combined("20.42.10.180", "/bread?utm=1", 200, "GPTBot/1.2")), expected);
  const caddy = {
    ts: 1_795_119_068.4,
    status: 200,
    request: { client_ip: "20.42.10.180", uri: "/bread?x=1", headers: { "User-Agent": ["GPTBot/1.2"] } },
  };
  assert.deepEqual(parseLine(JSON.stringify(caddy)), expected);
  const cloudflare = {
    ClientIP: "20.42.10.180",
    ClientRequestURI: "/bread",
    EdgeResponseStatus: 200,
    ClientRequestUserAgent: "GPTBot/1.2",
    EdgeStartTimestamp: "2026-11-19T20:11:08Z",
  };
  assert.deepEqual(parseLine(JSON.stringify(cloudflare)), expected);
  for (const line of ["nonsense", "{", '{"a":1}', `"`.repeat(5_000)]) assert.equal(parseLine(line), undefined);
});

test("an address outside the published ranges is forged and counts nowhere; without ranges nothing is verified", () => {
  const ranges = { GPTBot: ["20.42.10.176/28"], ClaudeBot: ["2001:db8::/32"] };
  const tally = new LogTally(verifierOf(ranges));
  tally.add(combined("20.42.10.180", "/bread", 200, AGENT("GPTBot/1.2")));
  tally.add(combined("::ffff:20.42.10.181", "/bread", 403, AGENT("GPTBot/1.2")));
  tally.add(combined("203.0.113.9", "/bread", 200, AGENT("GPTBot/1.2")));
  tally.add(combined("2001:db8::7", "/", 500, AGENT("ClaudeBot/1.0")));
  tally.add(combined("203.0.113.9", "/faq", 200, AGENT("ChatGPT-User/1.0")));
  tally.add(combined("203.0.113.9", "/", 200, "Mozilla/5.0 Chrome/140"));
  tally.add("garbage");
  tally.add("");
  const { lines, unreadable, bots, requestsByPurpose } = tally.report();
  assert.deepEqual([lines, unreadable], [7, 1]);
  assert.deepEqual(requestsByPurpose, { training: 3, search: 0, user: 1 });
  assert.deepEqual(
    bots.map(({ bot, requests, answered, refused, failed, verified, unverified, forged }) => [
      bot,
      ...[requests, answered, refused, failed, verified, unverified, forged],
    ]),
    [
      ["GPTBot", 2, 1, 1, 0, 2, 0, 1],
      ["ChatGPT-User", 1, 1, 0, 0, 0, 1, 0],
      ["ClaudeBot", 1, 0, 0, 1, 1, 0, 0],
    ],
  );
  assert.deepEqual(bots[0]?.pages, [{ path: "/bread", requests: 2 }]);
  assert.throws(() => verifierOf({ GPTBot: ["not-a-range"] }), /Invalid address range "not-a-range" for GPTBot/);
});
