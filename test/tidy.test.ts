// runtimes: node
// Keeps the architecture true. Each rule is a list of what breaks it, so that a failure names the files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { RUNTIME } from "../packages/millrace/dashboard/runtime/names.ts";
import { VENDORED } from "../scripts/building/vendored.js";
import { engineRoot, root } from "./support/program.ts";
import { ENTRIES, mayImport, partOf } from "./support/tidy/architecture.ts";
import { cyclesIn, reachableFrom } from "./support/tidy/graph.ts";
import { type Import, importsOf, readSources, type SourceFile, withoutComments } from "./support/tidy/source.ts";

const src = readSources("src", engineRoot);
const dashboard = readSources("dashboard", engineRoot);
// What only tests use stands with them: the contract suite, and how a store is opened and looked into for it.
const TEST_SUPPORT =
  /\.test\.ts$|\/contract-suite\.ts$|^src\/store\/contract\/|\/(sqlite|postgres)\/(temporary|connection\/inspect)\.ts$/;
const isTest = ({ path }: SourceFile) => TEST_SUPPORT.test(path);
const product = src.filter((file) => !isTest(file));
const workloads = ["diagrams", "sites"].map((name) => workloadPackage(name));
const tests = [...readSources("test"), ...workloads.flatMap(({ name }) => readSources(`packages/${name}/test`))];
const manifest = manifestOf("millrace");
const allowedPackages = new Set(["node:", ...VENDORED, ...installedWith(manifest)]);

/** What a package of this repository says in its package.json. */
function manifestOf(name: string): Record<"dependencies" | "peerDependencies" | "exports", Record<string, string>> {
  return JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
}

function installedWith({ dependencies, peerDependencies }: ReturnType<typeof manifestOf>): string[] {
  return Object.keys({ ...dependencies, ...peerDependencies });
}

function workloadPackage(name: string) {
  const [pages, all] = partition(readSources("src", join(root, "packages", name)), ({ path }) =>
    /^src\/pages\//.test(path),
  );
  return { name, all, pages, product: all.filter((file) => !isTest(file)), manifest: manifestOf(name) };
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

describe("imports", () => {
  test("go the way the table of the architecture allows", () => {
    const wrong = product.flatMap((file) => {
      const targets = file.imports.filter(({ ours }) => ours).map(({ target }) => target);
      return targets.filter((target) => !mayImport(file.path, target)).map((target) => `${file.path} -> ${target}`);
    });
    assert.deepEqual(wrong, []);
  });

  test("of packages are of those that are installed with the library or bundled into it", () => {
    const wrong = product.flatMap((file) => {
      const packages = file.imports.filter(({ ours }) => !ours).map(({ target }) => packageName(target));
      return packages.filter((name) => !allowedPackages.has(name)).map((name) => `${file.path} -> ${name}`);
    });
    assert.deepEqual(wrong, []);
    // `millrace dev` asks which files of the user's project are installed packages.
    const reaching = paths(product.filter((file) => uses(file, /node_modules/)));
    assert.deepEqual(reaching, ["src/cli/dev/installed.ts"], "reach into node_modules");
  });

  test("do not go round in a circle at run time", () => {
    assert.deepEqual(cyclesIn(src), []);
  });
});

test("no package pins an exact version of a dependency, which npm would install beside the application's own", () => {
  const ranges = [manifest, ...workloads.map((each) => each.manifest)].flatMap((each) =>
    Object.entries({ ...each.dependencies, ...each.peerDependencies }),
  );
  assert.deepEqual(
    ranges.filter(([, range]) => /^\d/.test(range)),
    [],
  );
});

describe("a workload's package", () => {
  const entries = new Set(Object.keys(manifest.exports).map((path) => `millrace${path.slice(1)}`));

  for (const { name, all, product: files, manifest: own } of workloads) {
    test(`${name} imports its own files, its dependencies and the public entries of millrace`, () => {
      const known = new Set(["node:", ...installedWith(own)]);
      const wrong = files.flatMap(({ path, imports }) =>
        imports
          .filter(({ target, ours }) =>
            ours
              ? !target.startsWith("src/")
              : !known.has(packageName(target)) || (packageName(target) === "millrace" && !entries.has(target)),
          )
          .map(({ target }) => `${path} -> ${target}`),
      );
      assert.deepEqual(wrong, []);
      assert.deepEqual(cyclesIn(all), []);
    });

    test(`${name} has no file that nothing uses`, () => {
      const reached = reachableFrom(sourcesOf(own), all);
      assert.deepEqual(
        paths(files).filter((path) => !reached.has(path)),
        [],
      );
    });
  }
});

/** The sources of its entries. */
function sourcesOf({ exports }: ReturnType<typeof manifestOf>): string[] {
  return Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [(entry as Record<string, string>)["millrace-source"]?.slice(2) ?? ""],
  );
}

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
const READS_ENV = ["src/config.ts", "src/lib/runtime/child-env.ts"];

describe("the dashboard", () => {
  const pages = dashboard.filter(({ path }) => !path.endsWith(".test.ts"));

  test("knows the server by its client and the described options, and pages know no other page's insides but shared parts", () => {
    const known = [
      "src/client/index.ts",
      "src/client/deployment-state.ts",
      "src/job/options/submit-options.ts",
      "src/lib/options/option.ts",
    ];
    const wrong = pages.flatMap((file) => {
      const targets = file.imports.filter(({ ours }) => ours).map(({ target }) => target);
      return targets
        .filter((target) => !target.startsWith("dashboard/") && !known.includes(target))
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
    const given = Object.values(RUNTIME).map((file) => `dashboard/${file}`);
    const reached = reachableFrom(["dashboard/main.tsx", "dashboard/vite.config.ts", ...given], dashboard);
    assert.deepEqual(
      paths(pages).filter((path) => !reached.has(path)),
      [],
    );
    assert.deepEqual(cyclesIn(pages), []);
  });

  test("writes no markup from text, and asks nobody else", () => {
    const unsafe = /dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|\beval\(|new Function\(/;
    const inBrowser = [...pages, ...workloads.flatMap((each) => each.pages)];
    assert.deepEqual(paths(inBrowser.filter((file) => uses(file, unsafe))), []);
    // The names of XML's namespaces look like addresses, and nothing is asked for there.
    const elsewhere = /["'`]https?:\/\/(?!127\.0\.0\.1|example\.com|www\.omg\.org\/spec)/;
    assert.deepEqual(paths(inBrowser.filter((file) => uses(file, elsewhere))), []);
  });
});

describe("pages of a workload run in a browser", () => {
  for (const { name, pages } of workloads) {
    test(`those of ${name} import what the dashboard gives, and of their workload its client and its icon`, () => {
      const own = ["src/client.ts", "src/icon.ts"];
      const isAllowed = ({ target, ours }: Import) =>
        ours ? target.startsWith("src/pages/") || own.includes(target) : Object.hasOwn(RUNTIME, target);
      const wrong = pages.flatMap(({ path, imports }) =>
        imports.filter((each) => !isAllowed(each)).map(({ target }) => `${path} -> ${target}`),
      );
      assert.deepEqual(wrong, []);
    });

    test(`${name} has no file of pages that nothing uses, and no circle`, () => {
      const reached = reachableFrom(["src/pages/index.tsx"], pages);
      assert.deepEqual(
        paths(pages).filter((path) => !reached.has(path)),
        [],
      );
      assert.deepEqual(cyclesIn(pages), []);
    });
  }
});

test("no file of the engine and its dashboard names a workload of another package", () => {
  assert.deepEqual(
    [...src, ...dashboard].flatMap(({ path, text }) => wordsOfWorkloads(text).map((word) => `${path}: ${word}`)),
    [],
  );
});

describe("tests", () => {
  const all = [
    ...tests,
    ...[...src, ...workloads.flatMap((each) => each.all)].filter(isTest),
    ...dashboard.filter(({ path }) => path.endsWith(".test.ts")),
  ];

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
    assert.deepEqual(paths(product.filter((file) => uses(file, /\bconsole\.(?!ts\b)/))), []);
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
      ["src/store/sqlite/claim/claim.ts", "src/job/lifecycle.ts"],
      ["src/store/sqlite/claim/claim.ts", "src/store/store.ts"],
      ["src/upkeep/fire.ts", "src/submit/submit.ts"],
      ["src/workloads/text/text.ts", "src/index.ts"],
      ["src/workloads/text/text.ts", "src/workload/index.ts"],
      ["src/cli/commands/serve.ts", "src/millrace.ts"],
      ["src/job/job.ts", "src/lib/clock.ts"],
      ["src/millrace.ts", "src/store/sqlite/store.ts"],
    ];
    const refused = [
      ["src/job/job.ts", "src/store/store.ts"],
      ["src/pool/claim.ts", "src/store/sqlite/claim/claim.ts"],
      ["src/pool/claim.ts", "src/submit/intake.ts"],
      ["src/store/sqlite/claim/claim.ts", "src/store/postgres/claim/claim.ts"],
      ["src/workloads/text/text.ts", "src/job/kind/kind.ts"],
      ["src/workloads/text/text.ts", "src/lib/clock.ts"],
      ["src/workloads/text/text.ts", "src/workload/workload.ts"],
      ["src/cli/commands/jobs.ts", "src/store/store.ts"],
      ["src/lib/clock.ts", "src/job/job.ts"],
      ["src/pool/claim.ts", "src/config.ts"],
      ["src/unheard-of/a.ts", "src/job/job.ts"],
      ["src/job/job.ts", "test/support/tidy/source.ts"],
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

  test("see the words of workloads, and know a site that a request comes from from one that is analysed", () => {
    assert.deepEqual(wordsOfWorkloads('A diagram. kind === "site" /sites/1 Mermaid SiteView siteRoutes'), [
      "diagram",
      '"site"',
      "sites",
      "Mermaid",
      "SiteView",
      "siteRoutes",
    ]);
    assert.deepEqual(
      wordsOfWorkloads('same-site, other sites, { site: SiteOptions }, guardSite, "sec-fetch-site"'),
      [],
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

/** In comments too. HTTP has a word "site" of its own: where a request comes from. */
function wordsOfWorkloads(text: string): string[] {
  const words =
    /diagrams?|mermaid|graphviz|kroki|\bd2\b|(?<!other )\bsites\b|["'`]site["'`]|\bsite(?!Options)[A-Z]\w+/gi;
  return [...text.matchAll(words)].map(([word]) => word);
}

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
