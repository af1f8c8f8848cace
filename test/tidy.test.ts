// runtimes: node
// Keeps the architecture true. Each rule is a list of what breaks it, so that a failure names the files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ENTRIES, mayImport, partOf } from "./support/architecture.ts";
import { cyclesIn, reachableFrom } from "./support/graph.ts";
import { root } from "./support/program.ts";
import { importsOf, readSources, type SourceFile, withoutComments } from "./support/source.ts";

const src = readSources("src");
const tests = readSources("test");
const dashboard = readSources("dashboard");
// What only tests use stands with them: the contract suite, and how a store is opened and looked into for it.
const TEST_SUPPORT =
  /\.test\.ts$|\/contract-suite\.ts$|^src\/store\/contract\/|\/(sqlite|postgres)\/(temporary|inspect)\.ts$/;
const isTest = ({ path }: SourceFile) => TEST_SUPPORT.test(path);
const product = src.filter((file) => !isTest(file));
const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const allowedPackages = new Set([
  "node:",
  ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
]);

describe("imports", () => {
  test("go the way the table of the architecture allows", () => {
    const wrong = product.flatMap((file) => {
      const targets = file.imports.filter(({ ours }) => ours).map(({ target }) => target);
      return targets.filter((target) => !mayImport(file.path, target)).map((target) => `${file.path} -> ${target}`);
    });
    assert.deepEqual(wrong, []);
  });

  test("of packages are of those that are installed with the library", () => {
    const wrong = product.flatMap((file) => {
      const packages = file.imports.filter(({ ours }) => !ours).map(({ target }) => packageName(target));
      return packages.filter((name) => !allowedPackages.has(name)).map((name) => `${file.path} -> ${name}`);
    });
    assert.deepEqual(wrong, []);
    assert.deepEqual(paths(product.filter((file) => uses(file, /node_modules/))), [], "reach into node_modules");
  });

  test("do not go round in a circle at run time", () => {
    assert.deepEqual(cyclesIn(src), []);
  });
});

test("the library pins no exact version of a dependency, which npm would install beside the application's own", () => {
  const exact = Object.entries<string>({ ...dependencies, ...peerDependencies }).filter(([, range]) =>
    /^\d/.test(range),
  );
  assert.deepEqual(exact, []);
});

test("every file of src is used", () => {
  const roots = [...ENTRIES, ...paths(src.filter(({ path }) => path.endsWith(".test.ts")))];
  const reached = reachableFrom(roots, src);
  const fromProduct = reachableFrom(ENTRIES, src);
  assert.deepEqual(
    paths(src).filter((path) => !reached.has(path)),
    [],
    "nothing reaches these",
  );
  assert.deepEqual(
    paths(product).filter((path) => !fromProduct.has(path)),
    [],
    "only tests reach these",
  );
});

// The second passes it on to child processes without looking into it.
const READS_ENV = ["src/config.ts", "src/lib/child-env.ts"];

describe("the dashboard", () => {
  const pages = dashboard.filter(({ path }) => !path.endsWith(".test.ts"));

  test("knows the server by its client alone, and pages know no other page's insides but shared parts", () => {
    const wrong = pages.flatMap((file) => {
      const targets = file.imports.filter(({ ours }) => ours).map(({ target }) => target);
      return targets
        .filter((target) => !target.startsWith("dashboard/") && target !== "src/client/index.ts")
        .map((target) => `${file.path} -> ${target}`);
    });
    assert.deepEqual(wrong, []);
    const upwards = pages
      .filter(({ path }) => /^dashboard\/(lib|ui)\//.test(path))
      .flatMap(({ path, imports }) => imports.map(({ target }) => `${path} -> ${target}`))
      .filter((each) => / -> dashboard\/(?!lib\/|ui\/)/.test(each));
    assert.deepEqual(upwards, [], "lib and ui have no domain of their own");
  });

  test("has no file that nobody uses, and no circle", () => {
    const reached = reachableFrom(["dashboard/main.tsx", "dashboard/vite.config.ts"], dashboard);
    assert.deepEqual(
      paths(pages).filter((path) => !reached.has(path)),
      [],
    );
    assert.deepEqual(cyclesIn(pages), []);
  });

  test("writes no markup from text, and asks nobody else", () => {
    const unsafe = /dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|\beval\(|new Function\(/;
    assert.deepEqual(paths(pages.filter((file) => uses(file, unsafe))), []);
    const elsewhere = /["'`]https?:\/\/(?!127\.0\.0\.1|example\.com)/;
    assert.deepEqual(paths(pages.filter((file) => uses(file, elsewhere))), []);
  });
});

describe("tests", () => {
  const all = [...tests, ...src.filter(isTest), ...dashboard.filter(({ path }) => path.endsWith(".test.ts"))];

  test("import `test` by name, so that the runner can scale its limits", () => {
    assert.deepEqual(paths(all.filter((file) => uses(file, /^import test\b/m))), []);
  });

  test("find programs of the system in test/support/system.ts alone", () => {
    const program = /\/s?bin\/(chromium|google-chrome|redis|pgbouncer|postgres|psql|mariadb|mysql)/;
    assert.deepEqual(paths(all.filter((file) => uses(file, program) && file.path !== "test/tidy.test.ts")), []);
  });
});

describe("what belongs in one place stays there", () => {
  test("Bun.* in src/runtime", () => {
    assert.deepEqual(
      paths(product.filter((file) => uses(file, /\bBun\b\.|\["Bun"\]|from "bun/) && partOf(file.path) !== "runtime")),
      [],
    );
  });

  test("process.env in src/config.ts", () => {
    assert.deepEqual(
      paths(
        product.filter(
          (file) => uses(file, /process\.env\b|\benv\b.*from "node:process"/) && !READS_ENV.includes(file.path),
        ),
      ),
      [],
    );
  });

  test("nothing that a browser lacks in src/client", () => {
    const reached = reachableFrom(["src/client/index.ts"], product.map(withoutTypes));
    const shipped = product.filter(({ path }) => reached.has(path));
    const brought = shipped.flatMap(({ imports }) => imports.filter(({ ours, how }) => !ours && how === "run"));
    assert.deepEqual(brought, [], "packages and built-ins");
    assert.deepEqual(
      paths(shipped.filter((file) => uses(file, /\b(?:process|Buffer|global|require|__dirname)\b\./))),
      [],
    );
    assert.ok(shipped.length > 5 && shipped.every(({ path }) => /^src\/(client|lib)\//.test(path)));
  });

  test("console nowhere: there is a log, and the CLI writes to its streams", () => {
    assert.deepEqual(paths(product.filter((file) => uses(file, /\bconsole\./))), []);
  });
});

test("no test is focused, and a skipped one says why", () => {
  const wrong = [...src, ...tests].filter((file) => {
    return (
      uses(
        file,
        /\b(?:test|it|describe)\.(?:only|skip|todo)\b|\bonly: true|\b(?:skip|todo): true|\bt\.(?:skip|todo)\(\)/,
      ) && !file.path.endsWith("tidy.test.ts")
    );
  });
  assert.deepEqual(paths(wrong), []);
});

// The rules above say nothing when they see nothing, so what they see is tested too.
describe("the rules themselves", () => {
  test("see every form of import", () => {
    const text = `
import assert from "node:assert/strict";
import type { A } from "./a.ts";
import { type B, type C } from "../b.ts";
import {
  type D,
  d,
} from "./d.ts";
import "./e.ts";
export { f } from "./f.ts";
// import { no } from "./no.ts";
const g = await import("./g.ts");
new Worker(new URL("./h.ts", import.meta.url));
new Worker(new URL(\`./i.\${extension}\`, import.meta.url));
`;
    assert.deepEqual(
      importsOf("src/x/y.ts", text).map(({ target, how }) => `${how} ${target}`),
      [
        "run node:assert/strict",
        "types src/x/a.ts",
        "types src/b.ts",
        "run src/x/d.ts",
        "run src/x/e.ts",
        "run src/x/f.ts",
        "run src/x/g.ts",
        "start src/x/h.ts",
        "start src/x/i.ts",
      ],
    );
  });

  test("know the table", () => {
    const allowed = [
      ["src/pool/claim.ts", "src/store/store.ts"],
      ["src/store/sqlite/claim.ts", "src/job/lifecycle.ts"],
      ["src/store/sqlite/claim.ts", "src/store/store.ts"],
      ["src/upkeep/fire.ts", "src/submit/submit.ts"],
      ["src/workloads/text/text.ts", "src/index.ts"],
      ["src/cli/commands/serve.ts", "src/millrace.ts"],
      ["src/job/job.ts", "src/lib/clock.ts"],
      ["src/millrace.ts", "src/store/sqlite/store.ts"],
    ];
    const refused = [
      ["src/job/job.ts", "src/store/store.ts"],
      ["src/pool/claim.ts", "src/store/sqlite/claim.ts"],
      ["src/pool/claim.ts", "src/submit/submit.ts"],
      ["src/store/sqlite/claim.ts", "src/store/postgres/claim.ts"],
      ["src/workloads/text/text.ts", "src/job/kind.ts"],
      ["src/workloads/text/text.ts", "src/workloads/sites/site.ts"],
      ["src/cli/commands/jobs.ts", "src/store/store.ts"],
      ["src/lib/clock.ts", "src/job/job.ts"],
      ["src/pool/claim.ts", "src/config.ts"],
      ["src/unheard-of/a.ts", "src/job/job.ts"],
      ["src/job/job.ts", "test/support/source.ts"],
    ];
    const answers = (pairs: string[][]) => pairs.map(([from = "", to = ""]) => mayImport(from, to));
    assert.deepEqual(
      answers(allowed),
      allowed.map(() => true),
    );
    assert.deepEqual(
      answers(refused),
      refused.map(() => false),
    );
  });

  test("find a circle and leave types out of it", () => {
    const file = (path: string, text: string) => ({ path, text, imports: importsOf(path, text) });
    const round = [file("src/a.ts", 'import "./b.ts";'), file("src/b.ts", 'import "./a.ts";')];
    const types = [file("src/a.ts", 'import "./b.ts";'), file("src/b.ts", 'import type { A } from "./a.ts";')];
    assert.deepEqual(cyclesIn(round), ["src/a.ts -> src/b.ts -> src/a.ts"]);
    assert.deepEqual(cyclesIn(types), []);
  });
});

/** What is left of a file when it runs. */
function withoutTypes(file: SourceFile): SourceFile {
  return { ...file, imports: file.imports.filter(({ how }) => how !== "types") };
}

function paths(files: readonly SourceFile[]): string[] {
  return files.map(({ path }) => path);
}

/** `zod` of `zod/v4`, `@scope/name` of `@scope/name/part`; the built-ins are one. */
function packageName(target: string): string {
  if (target.startsWith("node:")) return "node:";
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
}

function uses({ text }: SourceFile, pattern: RegExp): boolean {
  return pattern.test(withoutComments(text));
}
