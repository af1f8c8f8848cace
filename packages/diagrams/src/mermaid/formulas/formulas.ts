// The MathJax of the package `mathjax`: its own files, run in a function whose parameters stand in for a browser's globals. It is
// loaded with the first formula.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LoadedOnce } from "../../loaded-once.ts";
import { packageFolder } from "../../package-folder.ts";
import { type Formulas, makeFormulas } from "./make-formulas.ts";

/** In an order in which each finds what it builds on. None of them makes links, or loads another file. */
const PACKAGES = [
  ...[
    "newcommand",
    "configmacros",
    "enclose",
    "ams",
    "boldsymbol",
    "braket",
    "cancel",
    "color",
    "gensymb",
    "mathtools",
    "mhchem",
  ],
  ...["textmacros", "unicode", "upgreek", "extpfeil"],
];
const FILES = [
  ...["core", "adaptors/liteDOM", "input/tex-base"],
  ...PACKAGES.map((name) => `input/tex/extensions/${name}`),
  ...["output/svg", "output/svg/fonts/tex"],
];
/** MathJax's files look for these, and must find nothing of ours. */
const HIDDEN = ["window", "self", "global", "require", "module", "exports", "process", "document", "fetch"];

const loaded = new LoadedOnce<Formulas>(async () => run());

export function formulas(): Promise<Formulas> {
  return loaded.get();
}

function run(): Formulas {
  const start = new Function("makeFormulas", ...HIDDEN, script());
  return start(makeFormulas) as Formulas;
}

/** For a browser's page: an expression that gives `Formulas`. */
export function formulasForBrowser(): string {
  return `((makeFormulas, ${HIDDEN.join(", ")}) => {${script()}})(${makeFormulas.toString()})`;
}

function script(): string {
  const folder = packageFolder("mathjax");
  if (folder === undefined)
    throw new Error('Formulas need the package "mathjax", which is not installed. Run: npm install mathjax@3.2.2');
  const text = FILES.map((file) => readFileSync(join(folder.path, "es5", `${file}.js`), "utf8")).join("\n;\n");
  return `
    const MathJax = { version: ${JSON.stringify(folder.version)}, _: {}, config: {} };
    const globalThis = { MathJax };
    ${text}
    ;return makeFormulas(MathJax._, ${JSON.stringify(["base", ...PACKAGES])});`;
}
