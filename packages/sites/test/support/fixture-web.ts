// A small web on loopback: each site on a port of its own, with a count of what was asked of it.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import * as pages from "./pages.ts";

export interface FixtureSite {
  readonly url: string;
  /** `127.0.0.1:4711`, as the operator's allow list has it. */
  readonly place: string;
  readonly asked: string[];
  /** Until it is let go, whoever asks for this path gets no answer. */
  holdBack(path: string): { readonly asked: Promise<void>; letGo(): void };
}

type Answer = (request: IncomingMessage, response: ServerResponse, origin: string) => void;
type Name = keyof typeof SITES;

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));

const SITES = {
  bakery: served(pages.bakery),
  shop: served(pages.shop),
  german: served(pages.german),
  injection: served(pages.injection),
  shortName: served(pages.shortName),
  rightToLeft: served(pages.rightToLeft),
  shell: served(pages.shell),
  denied: served(pages.denied),
  japanese: tea,
  redirects,
  endless: hostile((response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.write(
      "<title>Endless</title><h1>Endless page</h1><p>The first words of an endless page about garden hoses.</p>",
    );
    const more = () => {
      while (!response.destroyed && response.write("<p>more and more words about garden hoses</p>".repeat(500)));
    };
    response.on("drain", more);
    more();
  }),
  slow: hostile(() => {}),
  bomb: hostile((response) => {
    response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" });
    response.end(BOMB);
  }),
  nested: hostile((response) => {
    const head =
      "<title>Nested</title><h1>Nested boxes</h1><p>Nested boxes for moving house, made of strong cardboard.</p>";
    response.writeHead(200, { "content-type": "text/html" }).end(`${head}${"<div>".repeat(20_000)}`);
  }),
  unclosed: hostile((response) => {
    const head = "<title>Unclosed</title><h1>Unclosed tags</h1><p>Unclosed tags about garden chairs made of oak.</p>";
    response.writeHead(200, { "content-type": "text/html" }).end(`${head}${"<b>".repeat(117_000)}`);
  }),
  busy: hostile((response) => {
    response.writeHead(429, { "retry-after": "1" }).end("slow down");
  }),
  down: hostile((response) => {
    response.writeHead(503).end("down");
  }),
} satisfies Record<string, Answer>;

const BOMB = gzipSync(
  Buffer.concat([Buffer.from("<title>Bomb</title><p>first words</p>"), Buffer.alloc(50_000_000, " ")]),
);

/** The same site on as many ports. */
export function fixtureSites(t: TestContext, name: Name, count: number): Promise<FixtureSite[]> {
  return Promise.all(Array.from({ length: count }, () => start(t, SITES[name])));
}

export async function fixtureWeb<N extends Name>(t: TestContext, ...names: N[]): Promise<Record<N, FixtureSite>> {
  const sites = await Promise.all(names.map(async (name) => [name, await start(t, SITES[name])] as const));
  return Object.fromEntries(sites) as Record<N, FixtureSite>;
}

async function start(t: TestContext, answer: Answer): Promise<FixtureSite> {
  const asked: string[] = [];
  const held = new Map<string, { reached: () => void; open: Promise<void> }>();
  const server: Server = createServer(async (request, response) => {
    asked.push(request.url ?? "");
    const door = held.get(request.url ?? "");
    door?.reached();
    await door?.open;
    answer(request, response, `http://${request.headers.host}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const holdBack = (path: string) => {
    const [reached, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    held.set(path, { reached: reached.resolve, open: open.promise });
    const letGo = () => {
      held.delete(path);
      open.resolve();
    };
    return { asked: reached.promise, letGo };
  };
  return { url: `http://${place}/`, place, asked, holdBack };
}

function served(site: pages.Pages): Answer {
  return (request, response, origin) => {
    const path = new URL(request.url ?? "/", origin).pathname;
    const body = site[path];
    if (body === undefined) return response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
    const type = path.endsWith(".txt")
      ? "text/plain"
      : path.endsWith(".xml")
        ? "application/xml"
        : "text/html; charset=utf-8";
    return response.writeHead(200, { "content-type": type }).end(body.replaceAll("{origin}", origin));
  };
}

/** Robots and sitemap are there; the first page is the one in question. */
function hostile(home: (response: ServerResponse) => void): Answer {
  return (request, response) => {
    if (request.url === "/") home(response);
    else response.writeHead(404).end();
  };
}

function tea(request: IncomingMessage, response: ServerResponse): void {
  const name = { "/": "index", "/price.html": "price", "/faq.html": "faq" }[request.url ?? ""];
  if (name === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": "text/html" }).end(fixture(`tea-${name}.sjis`));
}

function redirects(request: IncomingMessage, response: ServerResponse): void {
  const to = { "/": "/one", "/one": "/two", "/two": "/three" }[request.url ?? ""];
  if (to !== undefined) response.writeHead(302, { location: to }).end();
  else if (request.url === "/three") response.writeHead(200, { "content-type": "text/html" }).end(pages.shortName["/"]);
  else if (request.url === "/out") response.writeHead(302, { location: "http://10.0.0.1/" }).end();
  else response.writeHead(404).end();
}
