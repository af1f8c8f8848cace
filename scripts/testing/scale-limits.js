// Loaded before a test file, on both runtimes: multiplies the `timeout` of every test by TEST_SLOWNESS.

import { createRequire, syncBuiltinESMExports } from "node:module";

const slowness = Number(process.env["TEST_SLOWNESS"] ?? 1);
const nodeTest = createRequire(import.meta.url)("node:test");

if (slowness > 1) {
  for (const name of ["test", "it"]) nodeTest[name] = Object.assign(scaled(nodeTest[name]), nodeTest[name]);
  syncBuiltinESMExports();
}

function scaled(define) {
  return (...args) => define(...args.map((each) => (hasTimeout(each) ? longer(each) : each)));
}

function hasTimeout(value) {
  return typeof value === "object" && value !== null && typeof value.timeout === "number";
}

function longer(options) {
  return { ...options, timeout: options.timeout * slowness };
}
