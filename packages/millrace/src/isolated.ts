// What `millrace/isolated` gives: the confined child processes of isolated stages, for libraries that need neither a store nor
// jobs. It loads no store and no server.

import "./lib/runtime/require-runtime.ts";

export { type FailureOptions, JobFailure } from "./job/failure.ts";
export { AppError } from "./lib/app-error.ts";
export { type PackageFile, packageFile } from "./lib/runtime/package-file.ts";
export { type Confinement, confinement } from "./pool/child/confine/confine.ts";
export {
  type PoolAnswer,
  type PoolCallOptions,
  ProcessPool,
  type ProcessPoolOptions,
} from "./pool/child/process-pool.ts";
export type { NewArtifact } from "./store/verbs/attempts.ts";
