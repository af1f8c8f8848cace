// What `millrace/cli` gives: for the commands that a workload brings.

export type { PaceSetting } from "../config/parsers.ts";
export type { PoolOverride, PoolOverrides } from "../config/pools.ts";
export type { Config, SettingGroup, WorkloadSettings } from "../config.ts";
export { messageOf } from "../lib/app-error.ts";
export { type Command, defineCommand, type Flag, type Flags, UsageError, type Values } from "./arguments/command.ts";
export { EXIT } from "./arguments/exit.ts";
export { given, REMOTE, WATCH, whole } from "./arguments/flags.ts";
export { SUBMISSION, type SubmissionBody, type SubmissionFlags, submissionOf } from "./arguments/submission.ts";
export { type RemoteFlags, withClient } from "./connect.ts";
export type { FileOptions } from "./file-api.ts";
export { loadConfigOrComplain, type StoreFlags } from "./load.ts";
export { manyLines, oneLine, plural, relative } from "./output/format.ts";
export { paint, type Style } from "./output/paint.ts";
export { ProgressBar, type Terminal } from "./output/progress.ts";
export { type ShowFlags, show, tell } from "./output/show.ts";
export { type TableColumn, table } from "./output/table.ts";
export { waitForJob } from "./wait-for-job.ts";
export { watchFiles } from "./watch-files.ts";
