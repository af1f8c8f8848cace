// runtimes: node
// No block is left out in silence: each one that is not run or not compiled stands here, with the reason its fence gives.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LEFT_OUT, typescriptBlocks } from "./support/blocks.ts";

const KNOWN = /^(|until SIGTERM|with a server|with PostgreSQL|no-run: .+|no-check: .+)$/;

const EXEMPT = [
  "docs/guides/analyse-library.md: no-run: a test runs it on a site of its own",
  "docs/guides/analyse-library.md: no-run: a test runs it with models of its own",
  'docs/guides/client.md: no-run: the demo server has no kind "thumbnail"',
  "docs/guides/deployments.md: no-run: a test runs it beside worker.ts",
  "docs/guides/from-bullmq.md: no-check: needs the package bullmq and Redis",
  "docs/guides/from-bullmq.md: no-check: needs the package bullmq and Redis",
  "docs/guides/from-graphile-worker.md: no-check: needs the package graphile-worker",
  "docs/guides/from-graphile-worker.md: no-check: needs the package graphile-worker",
  "docs/guides/from-inngest.md: no-check: needs the package inngest and its service",
  "docs/guides/from-pg-boss.md: no-check: needs the package pg-boss",
  "docs/guides/from-pg-boss.md: no-check: needs the package pg-boss",
  "docs/guides/from-temporal.md: no-check: needs the packages of Temporal and its service",
  "docs/guides/one-shop.md: no-check: Prisma generates its client",
  "docs/guides/one-shop.md: no-check: needs the package better-sqlite3",
  "docs/guides/one-shop.md: no-run: needs a MySQL server",
  "docs/guides/outbox.md: no-check: needs the package better-sqlite3",
  "docs/guides/outbox.md: no-run: needs a MySQL server",
  "docs/guides/render-library.md: no-check: needs a package that the repository does not have",
  "docs/guides/render-library.md: no-check: needs a package that the repository does not have",
  "docs/guides/sites.md: no-run: it reads a website, and asks models",
  "docs/guides/transactions.md: no-check: Prisma generates its client",
  "docs/recipes.md: no-run: Next.js calls it",
];

test("every fence says how its block is treated", () => {
  const unknown = typescriptBlocks().filter(({ info }) => !KNOWN.test(info));
  assert.deepEqual(
    unknown.map(({ document, line, info }) => `${document}:${line}: ${info}`),
    [],
  );
});

test("the folders that are left out are these", () => {
  assert.deepEqual(LEFT_OUT, ["docs/decisions/", "docs/reference/api/"]);
});

test("the blocks that are not run are these", () => {
  const exempt = typescriptBlocks().filter(({ info }) => info.startsWith("no-"));
  assert.deepEqual(exempt.map(({ document, info }) => `${document}: ${info}`).sort(), EXEMPT.sort());
});
