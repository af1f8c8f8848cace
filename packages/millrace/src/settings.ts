// What `millrace/settings` gives: for the main file of a workload, with the environment variables that it brings. Every command and
// every user of its library loads that file, so this loads neither the engine nor a server.

export {
  addressRanges,
  headerSafe,
  hostName,
  httpUrl,
  integer,
  label,
  list,
  oneOf,
  origins,
  type ParseResult,
  type Parser,
  path,
  seconds,
  timerMs,
  yesNo,
} from "./config/parsers.ts";
export {
  type Setting,
  type SettingContext,
  type SettingTable,
  type SettingValues,
  secret,
  setting,
} from "./config/setting.ts";
export { defineWorkload, type Workload, type WorkloadOptions } from "./workload/workload.ts";
