// The sources as the compiler understands them. TypeScript 7 has no stable API for programs, so this is TypeScript 5.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-5.9";

export const root = fileURLToPath(new URL("../../", import.meta.url));

export function readProgram(files) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    // The entry for dashboard pages has components.
    {
      ...options,
      noEmit: true,
      jsx: ts.JsxEmit.ReactJSX,
      lib: [...options.lib, "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    },
  );
  return { program, checker: program.getTypeChecker() };
}
