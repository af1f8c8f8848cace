// Loaded before a test file, on both runtimes: multiplies the `timeout` of every test by TEST_SLOWNESS.
//
// Node applies the default limit (--test-timeout) to a suite as a whole, Bun to each test in it. Here each test gets it by
// itself (TEST_LIMIT_MS), and a suite has no limit but that of its file.

import { createRequire, syncBuiltinESMExports } from "node:module";

const slowness = Number(process.env["TEST_SLOWNESS"] ?? 1);
const limitMs = Number(process.env["TEST_LIMIT_MS"]);
const isNode = process.versions["bun"] === undefined;
/** The longest time that a timer can have. */
const NO_LIMIT_MS = 2 ** 31 - 1;
const nodeTest = createRequire(import.meta.url)("node:test");

const ofTest = ({ timeout }) => (timeout === undefined ? limitMs : timeout * slowness);
const ofSuite = ({ timeout }) => (timeout === undefined ? NO_LIMIT_MS : timeout * slowness);

if (isNode && limitMs > 0) {
  for (const name of ["test", "it"]) limit(name, ofTest);
  for (const name of ["describe", "suite"]) limit(name, ofSuite);
  syncBuiltinESMExports();
} else if (slowness > 1) {
  for (const name of ["test", "it"])
    limit(name, ({ timeout }) => (timeout === undefined ? undefined : timeout * slowness));
  syncBuiltinESMExports();
}

function limit(name, timeoutOf) {
  const define = nodeTest[name];
  const limited = (...args) => define(...withTimeout(args, timeoutOf));
  nodeTest[name] = Object.assign(limited, define);
}

/** As both runtimes take them: a name, options and a function, of which any may be missing. */
function withTimeout(args, timeoutOf) {
  const options = args.find((each) => typeof each === "object" && each !== null) ?? {};
  const timeout = timeoutOf(options);
  if (timeout === undefined) return args;
  const others = args.filter((each) => each !== options);
  const at = others.findIndex((each) => typeof each === "function");
  return others.toSpliced(at < 0 ? others.length : at, 0, { ...options, timeout });
}
