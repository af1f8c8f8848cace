// Imported first by every entry of the package: an unsupported runtime is refused before it meets anything it cannot run.

import { runtimeProblem } from "./runtimes.ts";

const problem = runtimeProblem({ node: process.versions.node, bun: process.versions["bun"] });
if (problem !== undefined) {
  const error = Object.assign(new Error(problem), { code: "runtime-too-old" });
  // The sentence says everything. A stack would point into this package.
  error.stack = `Error: ${problem}`;
  throw error;
}
