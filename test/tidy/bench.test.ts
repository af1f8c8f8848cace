// runtimes: node
// The bench has packages of its own, so the compiler does not see it in `npm run types`. A name that it imports from us and that is
// gone would end every measurement.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { root } from "../support/program.ts";

const IMPORT = /^import (?:type )?\{([^}]*)\} from "(\.[^"]*)";/gm;

interface Missing {
  readonly file: string;
  readonly name: string;
}

function missingIn(file: string, text: string, read: (path: string) => string): Missing[] {
  return [...text.matchAll(IMPORT)].flatMap(([, names = "", from = ""]) => {
    const exported = read(join(dirname(file), from));
    return names
      .split(",")
      .map(
        (each) =>
          each
            .trim()
            .replace(/^type /, "")
            .split(" as ")[0] ?? "",
      )
      .filter((name) => name !== "" && !exports(exported, name))
      .map((name) => ({ file, name }));
  });
}

function exports(text: string, name: string): boolean {
  return new RegExp(
    `^export (?:declare |abstract |async )*(?:const|let|class|function\\*?|interface|type) ${name}\\b|^export (?:type )?\\{[^}]*\\b${name}\\b`,
    "m",
  ).test(text);
}

test("every name that the bench imports from a file of the repository is exported there", () => {
  const files = globSync("bench/**/*.ts", { cwd: root, exclude: (path) => String(path).includes("node_modules") });
  assert.ok(files.length > 40, "the files of the bench are found");
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  assert.deepEqual(
    files.flatMap((file) => missingIn(file, read(file), read)),
    [],
  );
});

test("a name that is gone is found, in each form of an import", () => {
  const texts: Record<string, string> = {
    "src/a.ts":
      "export const here = 1;\nconst hidden = 2;\nexport type Shape = string;\nexport { hidden as shown } from './b.ts';\n",
  };
  const text =
    'import { gone, here, type Shape, shown as other } from "../src/a.ts";\nimport type { Lost } from "../src/a.ts";\n';
  assert.deepEqual(
    missingIn("bench/x.ts", text, (path) => texts[path] ?? ""),
    [
      { file: "bench/x.ts", name: "gone" },
      { file: "bench/x.ts", name: "Lost" },
    ],
  );
});
