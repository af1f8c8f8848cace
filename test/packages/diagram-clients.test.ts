// runtimes: node
// time-limit: 600 s
// packages only
// Clients of Kroki and mermaid.ink from npm, unchanged, against a server.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { ALL_WORKLOADS, serving } from "../support/cli.ts";
import { temporaryFolder } from "../support/program.ts";
import { npmSettings, pathWithRuntimes, runtimePath } from "./support/new-project.ts";

const PACKAGES = [
  ...["remark@15.0.1", "remark-html@16.0.1", "remark-kroki@0.3.8", "markdown-it@15.0.3"],
  ...["@kazumatu981/markdown-it-kroki@1.3.6", "rehype-kroki@0.1.0", "@langchain/core@1.2.13"],
];

/** Each line that it prints is a client, and what it got. */
const CLIENTS = `
const server = process.argv[2];
const text = "\`\`\`mermaid\\nflowchart LR\\n  a --> b\\n\`\`\`\\n";
const say = (client, got) => console.log(client + ": " + got);

const { remark } = await import("remark");
const { default: html } = await import("remark-html");
const { remarkKroki } = await import("remark-kroki");
const options = { server: server + "/kroki", alias: ["mermaid"], target: "html", output: "inline-svg" };
const page = String(await remark().use(remarkKroki, options).use(html, { sanitize: false }).process(text));
say("remark-kroki", /<svg[^>]*viewBox/i.test(page) ? "svg" : page);

const { default: markdownIt } = await import("markdown-it");
const { default: kroki } = await import("@kazumatu981/markdown-it-kroki");
const shown = markdownIt().use(kroki, { entrypoint: server + "/kroki", imageType: "svg" }).render(text);
const picture = await fetch(/src="([^"]+)"/.exec(shown)[1]);
say("markdown-it-kroki", picture.status + " " + picture.headers.get("content-type"));

const { default: rehypeKroki } = await import("rehype-kroki");
const code = { type: "text", value: "flowchart LR\\n  a --> b" };
const block = { type: "element", tagName: "code", properties: { className: ["language-mermaid"] }, children: [code] };
const tree = { type: "root", children: [{ type: "element", tagName: "pre", properties: {}, children: [block] }] };
await rehypeKroki({ server: server + "/kroki", output: "inline-svg", strategy: "inline-svg" })(tree);
say("rehype-kroki", tree.children[0].tagName);

// It knows no other address, so the requests are sent to ours.
const ask = globalThis.fetch;
globalThis.fetch = (address, init) => ask(String(address).replace("https://mermaid.ink", server), init);
const { drawMermaidImage } = await import("./node_modules/@langchain/core/dist/runnables/graph_mermaid.js");
for (const imageType of ["png", "jpeg", "webp"]) {
  const image = await drawMermaidImage("graph TD;\\n  a --> b;\\n  classDef default fill:#f2f0ff,line-height:1.2;", { imageType });
  say("langchain", image.type);
}
`;

test("remark-kroki, markdown-it-kroki, rehype-kroki and LangChain draw unchanged", { timeout: 300_000 }, async (t) => {
  const folder = temporaryFolder(t);
  const { url } = await serving(t, { ...ALL_WORKLOADS });
  const env = { ...process.env, ...npmSettings(), PATH: pathWithRuntimes() };
  const execute = promisify(execFile);
  const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  writeFileSync(join(folder, "package.json"), "{}\n");
  await execute("npm", ["install", ...flags, ...PACKAGES], { cwd: folder, env });
  writeFileSync(join(folder, "clients.mjs"), CLIENTS);
  const { stdout } = await execute(runtimePath("node"), ["clients.mjs", url], { cwd: folder, env });
  assert.deepEqual(stdout.trim().split("\n"), [
    "remark-kroki: svg",
    "markdown-it-kroki: 200 image/svg+xml",
    "rehype-kroki: svg",
    "langchain: image/png",
    "langchain: image/jpeg",
    "langchain: image/webp",
  ]);
});
