// runtimes: node
// time-limit: 300 s
// What npm would publish, installed into an empty project, must run the README's first example on both runtimes.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { findRuntime } from "../../packages/millrace/bin/runtimes.js";
import { runtimeProblem } from "../../packages/millrace/src/lib/runtime/runtimes.ts";
import { linksTo } from "../../scripts/building/links.js";
import { freePort } from "../support/cli.ts";
import { packed } from "../support/packed.ts";
import { root, run } from "../support/program.ts";
import { portableErrors, typescriptOf, unpackWorkloads } from "./support/portable.ts";

const execute = promisify(execFile);
const INSTALL_LIMIT_MS = 180_000;

/** The Node of the machine, which may be older than what Millrace runs on. */
const SYSTEM_NODE = "/usr/bin/node";

function skipWithoutOldNode(): string | false {
  if (!existsSync(SYSTEM_NODE)) return `there is no ${SYSTEM_NODE}`;
  const version = execFileSync(SYSTEM_NODE, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
  return runtimeProblem({ node: version }) === undefined && "the machine's own Node is new enough";
}

async function versionOf(path: string): Promise<string> {
  const { stdout } = await execute(path, ["--version"]);
  return stdout.trim().replace(/^v/, "");
}

describe("the published package", () => {
  const project = mkdtempSync(join(tmpdir(), "millrace-pack-"));
  const installed = join(project, "node_modules/millrace");

  before(
    async () => {
      const tarball = await packed("millrace");
      writeFileSync(join(project, "package.json"), '{ "name": "empty", "private": true, "type": "module" }');
      const flags = ["--prefix", project, "--prefer-offline", "--no-audit", "--no-fund", "--silent"];
      // The README's example checks its payload by zod, which is the user's own: the package brings none.
      const zod = `zod@${JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies.zod}`;
      await execute("npm", ["install", ...flags, tarball, zod], { cwd: project });
      writeFileSync(join(project, "example.ts"), readmeExample());
    },
    { timeout: INSTALL_LIMIT_MS },
  );
  after(() => rmSync(project, { recursive: true, force: true }));

  for (const name of ["bun", "node", "node22"]) {
    test(`runs the README's first example on ${name}`, async (t) => {
      const { path, flags } = runtime(name);
      const program = run(t, [path, ...flags, "example.ts"], { cwd: project, env: { PORT: `${await freePort()}` } });
      const [, url = ""] = await program.said(/Open (http:\S+)/);
      assert.match(program.stdout(), /sentTo: ["']ada@example.org["']/);
      const page = await fetch(url);
      assert.match(await page.text(), /<title>/, "its server has the dashboard");
      program.child.kill("SIGTERM");
      assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stdout() + program.stderr());
    });

    test(`says on ${name} how to install the driver when PostgreSQL is asked for`, async (t) => {
      writeFileSync(join(project, "postgres.ts"), POSTGRES_EXAMPLE);
      const { path, flags } = runtime(name);
      const program = run(t, [path, ...flags, "postgres.ts"], { cwd: project });
      assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stdout() + program.stderr());
      assert.equal(
        program.stdout(),
        'driver-missing: PostgreSQL needs the package "pg". Install it with: npm install pg\n',
      );
    });

    test(`has one AppError on ${name}, whichever entry throws it`, async (t) => {
      writeFileSync(join(project, "entries.ts"), ENTRIES_EXAMPLE);
      const { path, flags } = runtime(name);
      const program = run(t, [path, ...flags, "entries.ts"], { cwd: project });
      assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stdout() + program.stderr());
      const [thrown = "", stack = ""] = program.stdout().split("\n");
      assert.equal(thrown, "true job-waits");
      assert.match(stack, /dist\/testing\.js:\d+:\d+/, "a stack names our own files, not a bundle");
    });

    test(`starts the server on ${name} when ${name} starts its command, whatever else is on PATH`, async (t) => {
      const { path, flags } = runtime(name);
      const others = ["bun", "node"].map((other) => dirname(runtime(other).path));
      const env = { PORT: "0", PATH: [...others, process.env["PATH"]].join(delimiter) };
      const command = [path, ...flags, join(installed, "bin/millrace.js"), "serve"];
      const program = run(t, command, { cwd: project, env });
      await program.said(new RegExp(`"runtime":"${name === "bun" ? "bun" : "node"} ${await versionOf(path)}"`));
      const [, url = ""] = await program.said(/Dashboard\s+(http:\S+)/);
      const page = await (await fetch(url)).text();
      const [, script = ""] = /src="([^"]+\.js)"/.exec(page) ?? [];
      assert.equal((await fetch(new URL(script, url))).status, 200, "the dashboard is served as it was built");
      const openapi = await (await fetch(new URL("/openapi.json", url))).text();
      assert.match(openapi, /"schemas":.*"Job":\{/s, "OpenAPI is written from the bundled schemas");
      program.child.kill("SIGTERM");
      assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stderr());
    });
  }

  test("gives an older Node one sentence at import and from its command", { skip: skipWithoutOldNode() }, async (t) => {
    const imported = run(t, [SYSTEM_NODE, "-e", 'import("millrace").catch((e) => console.log(e.code, e.message))'], {
      cwd: project,
    });
    await imported.ended();
    const version = await versionOf(SYSTEM_NODE);
    assert.match(
      imported.stdout(),
      /^runtime-too-old Millrace needs Node 22\.22\.3, Node 24\.15 or Bun 1\.4, or newer; /,
    );
    assert.ok(imported.stdout().endsWith(`; this is Node ${version}.\n`));
    const called = run(t, [SYSTEM_NODE, join(installed, "bin/millrace.js"), "--version"], { cwd: project });
    assert.equal((await called.ended()).code, 2);
    assert.match(called.stderr(), new RegExp(`^millrace: Millrace needs .* and found only node ${version}\\.`));
  });

  test("has types that a strict project accepts", async () => {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: "es2024",
      module: "nodenext",
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      skipLibCheck: false,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["example.ts"] }));
    const failure = await execute(join(root, "node_modules/.bin/tsc"), ["-p", project]).catch((error) => error);
    assert.equal(failure.code ?? 0, 0, failure.stdout);
  });

  test("has a name for every type that a package with declarations infers", async () => {
    const typescript = join(root, "node_modules/typescript");
    assert.equal(await portableErrors(project, { typescript, resolution: "nodenext" }), "");
  });

  test("has these names in every resolution and for every TypeScript that is supported, and so have the workloads", {
    skip: process.env["PACKAGES"] !== "1" && "PACKAGES=1 runs the whole matrix",
    timeout: INSTALL_LIMIT_MS,
  }, async () => {
    await unpackWorkloads(project);
    for (const version of ["", "-5.9", "-5.4"] as const) {
      const typescript = typescriptOf(version);
      for (const resolution of ["nodenext", "bundler"] as const) {
        const errors = await portableErrors(project, { typescript, resolution });
        assert.equal(errors, "", `typescript${version}, ${resolution}`);
      }
    }
  });

  test("has a client whose types need nothing of Node", async () => {
    writeFileSync(join(project, "client.ts"), CLIENT_EXAMPLE);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "es2024",
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["es2024", "dom", "dom.iterable"],
      skipLibCheck: false,
      types: [],
    };
    const browser = join(project, "tsconfig.browser.json");
    writeFileSync(browser, JSON.stringify({ compilerOptions, files: ["client.ts"] }));
    const failure = await execute(join(root, "node_modules/.bin/tsc"), ["-p", browser]).catch((error) => error);
    assert.equal(failure.code ?? 0, 0, failure.stdout);
  });

  test("has types for pages of the dashboard, which need React's and nothing else", async () => {
    mkdirSync(join(project, "node_modules/@types"), { recursive: true });
    symlinkSync(join(root, "node_modules/@types/react"), join(project, "node_modules/@types/react"));
    writeFileSync(join(project, "page.tsx"), PAGE_EXAMPLE);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
      jsx: "react-jsx",
      lib: ["es2024", "dom", "dom.iterable"],
      skipLibCheck: false,
      types: [],
    };
    const browser = join(project, "tsconfig.page.json");
    writeFileSync(browser, JSON.stringify({ compilerOptions, files: ["page.tsx"] }));
    const failure = await execute(join(root, "node_modules/.bin/tsc"), ["-p", browser]).catch((error) => error);
    assert.equal(failure.code ?? 0, 0, failure.stdout);
  });

  test("holds what is needed and nothing else", () => {
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    for (const needed of [
      "README.md",
      "LICENSE",
      "CHANGELOG.md",
      ".env.example",
      "bin/millrace.js",
      "dist/cli/main.js",
      "dist/client/index.js",
      "dist/vendor/zod.LICENSE",
      "dist/index.d.ts.map",
      "src/index.ts",
      "docs/concepts.md",
      "dashboard/dist/index.html",
    ]) {
      assert.ok(files.includes(needed), `${needed} is missing`);
    }
    const stray = files.filter((file) =>
      /\.test\.|contract-suite|store\/contract|(temporary|inspect)\.[jt]s|^(test|scripts|tools|bench)\b|^(?!src\/).*(?<!\.d)\.ts$/.test(
        file,
      ),
    );
    assert.deepEqual(stray, []);
  });

  test("takes at most 15 MB on disk, with at most 25 packages and 12 direct dependencies", () => {
    const modules = join(project, "node_modules");
    const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as { packages: object };
    const ours = Object.keys(packages).filter((path) => path !== "node_modules/zod");
    const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    assert.ok(ours.length <= 25, `${ours.length} packages`);
    assert.ok(Object.keys(dependencies).length <= 12);
    // Other tests of this file put zod, and for the compiler the workloads, beside the package.
    const files = readdirSync(modules, { recursive: true, encoding: "utf8" }).filter(
      (path) => !/^(zod|@millrace)\b/.test(path),
    );
    const megabytes = files.reduce((sum, path) => sum + lstatSync(join(modules, path)).blocks * 512, 0) / 1_048_576;
    assert.ok(megabytes <= 15, `${megabytes.toFixed(1)} MB`);
  });

  test("has every source that a declaration map names, and no other", () => {
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    const named = files
      .filter((file) => file.endsWith(".d.ts.map"))
      .flatMap((file) => {
        const { sources } = JSON.parse(readFileSync(join(installed, file), "utf8")) as { sources: string[] };
        return sources.map((source) => join(dirname(file), source));
      });
    const sources = files.filter((file) => file.startsWith("src/") && statSync(join(installed, file)).isFile());
    assert.deepEqual(sources.sort(), [...new Set(named)].sort());
    assert.ok(sources.includes("src/index.ts"));
  });

  test("has documents whose links lead to its own files or to the repository", () => {
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    const relative: string[] = [];
    for (const file of files.filter((each) => each.endsWith(".md") && !each.startsWith("node_modules"))) {
      linksTo(readFileSync(join(installed, file), "utf8"), (link: string) => {
        const [path = ""] = link.split("#");
        const isDead = path !== "" && !existsSync(join(installed, dirname(file), path));
        if (isDead || (file === "README.md" && path !== "")) relative.push(`${file} -> ${link}`);
        return link;
      });
    }
    assert.deepEqual(relative, []);
    assert.match(
      readFileSync(join(installed, "docs/guides/mount.md"), "utf8"),
      /\/blob\/HEAD\/examples\/hono\/server\.ts/,
    );
  });

  test("has declarations that import nothing but what is installed with it", () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    // Types of a package that has none of its own count for it.
    const known = new Set(
      Object.keys({ ...dependencies, ...peerDependencies }).map((name) => name.replace(/^@types\//, "")),
    );
    const declarations = readdirSync(installed, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".d.ts"),
    );
    assert.ok(declarations.includes("dist/index.d.ts"));
    const wrong = declarations.flatMap((file) => {
      const text = readFileSync(join(installed, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
      const targets = [...text.matchAll(/(?:\bfrom|\bimport\(|^import) ?["'](?<target>[^"']+)["']/gm)];
      return targets
        .map(({ groups }) => groups?.["target"] ?? "")
        .filter((target) => !isThere(file, target) && !known.has(target) && !target.startsWith("node:"))
        .map((target) => `${file} -> ${target}`);
    });
    assert.deepEqual(wrong, []);
  });

  function isThere(from: string, target: string): boolean {
    return target.startsWith(".") && existsSync(join(installed, dirname(from), target.replace(/\.js$/, ".d.ts")));
  }

  test("depends on no runtime, no driver, nothing it bundles, and nothing the dashboard was built with", () => {
    const { dependencies, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(installed, "package.json"), "utf8"),
    );
    const wrong = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) =>
      /bun|^node-|react|vite|uplot|playwright|chromium|fontsource|^(zod|pg|pino|prom-client)$/.test(name),
    );
    assert.deepEqual(wrong, []);
  });
});

const POSTGRES_EXAMPLE = `import { AppError, Millrace, postgres } from "millrace";

try {
  await Millrace.open({ store: postgres("postgres://127.0.0.1:1/jobs"), kinds: [], log: false });
} catch (error) {
  if (error instanceof AppError) console.log(error.code + ": " + error.message);
}
`;

const ENTRIES_EXAMPLE = `import { AppError, defineKind } from "millrace";
import { Testkit } from "millrace/testing";
import { z } from "zod";

const kind = defineKind({ name: "held", payload: z.object({}), run: async (ctx) => ctx.hold("for a person") });
const kit = await Testkit.open({ kinds: [kind] });
try {
  await kit.run(kind, {});
} catch (error) {
  console.log(error instanceof AppError, (error as AppError).code);
  console.log((error as AppError).stack?.split("\\n")[1]);
}
await kit.stop();
`;

const PAGE_EXAMPLE = `import { ask, type Connection } from "millrace/client";
import { Button, definePages, Loaded, Page, Table, useAct, useLiveQuery } from "millrace/dashboard";

const shop = (connection: Connection) => ({
  orders: async (): Promise<{ id: string }[]> => (await ask<{ orders: { id: string }[] }>(connection, "GET /orders", {})) as never,
});

function Orders({ id }: { id?: string }) {
  const orders = useLiveQuery({ key: ["orders"], load: (client) => client.with(shop).orders(), events: ["shop.sold"] });
  const pay = useAct({ run: (client) => client.cancel("job_00000000"), done: () => "Paid." });
  return (
    <Page title={id ?? "Orders"} actions={<Button busy={pay.isPending} onClick={() => pay.mutate()}>Pay</Button>}>
      <Loaded query={orders}>
        {(rows) => <Table rows={rows} keyOf={(row) => row.id} columns={[{ title: "Order", value: (row) => row.id }]} />}
      </Loaded>
    </Page>
  );
}

export default definePages({ pages: { "/orders": Orders, "/orders/{id}": Orders } });
`;

const CLIENT_EXAMPLE = `import { createClient, MillraceError } from "millrace/client";

const client = createClient({ baseUrl: "http://127.0.0.1:3000", fetch: (url, init) => fetch(url, init) });
export async function submit(): Promise<string> {
  try {
    const job = await client.submit("text", { text: "hello" }, { runAt: new Date() });
    return JSON.stringify(await client.result(job));
  } catch (error) {
    return error instanceof MillraceError ? error.code : "other";
  }
}
`;

function readmeExample(): string {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const example = /^```ts[^\n]*\n(?<code>[\s\S]*?)^```$/m.exec(readme)?.groups?.["code"];
  assert.ok(example, "README.md has no block that begins with ```ts");
  assert.match(example, /from "millrace/, "the first example of README.md does not import millrace");
  return example;
}

function runtime(name: string): { path: string; flags: string[] } {
  const found = findRuntime({ root, wanted: name });
  assert.ok(!("problem" in found), "problem" in found ? found.problem : "");
  return found;
}
