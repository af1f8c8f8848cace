// The table of options: the name in the library, the name in the environment, the default and the meaning.

import { diagrams } from "../../packages/diagrams/src/workload.ts";
import { settingsOf } from "../../packages/millrace/src/cli/engine.ts";
import { settingGroups } from "../../packages/millrace/src/config.ts";
import { SUBMIT_OPTIONS } from "../../packages/millrace/src/job/options/submit-options.ts";
import { sites } from "../../packages/sites/src/workload.ts";
import { cell, code, table } from "./markdown.js";

/** Options of `Millrace.open()` that are no single setting of the environment. */
const IN_ENVIRONMENT = {
  store: ["DATABASE_URL", "JOB_DB_PATH"],
  kinds: ["MILLRACE_LOAD"],
  deployment: ["DEPLOYMENT"],
  log: ["LOG_LEVEL", "LOG_FORMAT"],
  pools: ["POOL_<STAGE>_SIZE", "POOL_<STAGE>_TIMEOUT_MS", "POOL_<STAGE>_PACE"],
};

/** Options of a submission that are headers and flags of their own. */
const HEADERS = {
  tenant: ["header `X-Tenant-Id`", "`--tenant`"],
  traceId: ["header `X-Trace-Id`", "`--trace`"],
  traceParent: ["header `traceparent`", ""],
  idempotencyKey: ["header `Idempotency-Key`", "`--key`"],
};

/** How a submission says the same over HTTP and on the command line. */
function elsewhere(name) {
  const { outside } = SUBMIT_OPTIONS[name];
  return outside ? [code(outside.wire ?? name), code(`--${outside.flag.name}`)] : HEADERS[name];
}

const OTHERS = [
  ["millrace", "ContractOptions", "Kinds: where jobs are submitted", "`defineKind({ ... })`"],
  ["millrace", "WorkOptions", "Kinds: where jobs run", "`defineKind({ ... })` and `work(contract, { ... })`"],
  [
    "millrace",
    "StageOptions",
    "Stages",
    "`.stage(name, { ... })`, and `defineKind({ ... })` or `work(contract, { ... })` for a kind of one stage",
  ],
  ["millrace", "InlineStage", "Stages in this process", "`.stage(name, { run })`"],
  ["millrace", "IsolatedStage", "Stages in child processes", "`.stage(name, { isolation, module })`"],
  ["millrace", "WaitOptions", "Waiting", "`job.wait({ ... })` and `millrace.wait(id, { ... })`"],
  ["millrace", "ScheduleRule", "Schedules", "`millrace.schedules.put(kind, { ... })`"],
  ["millrace", "HookOptions", "Events", "`millrace.on(name, hook, { ... })`"],
  ["millrace", "LogOptions", "Log", "`createLog({ ... })`"],
  ["millrace/client", "ClientOptions", "Client", "`createClient({ ... })`"],
  [
    "millrace/client",
    "WaitOptions",
    "Waiting with the client",
    "`client.wait(job, { ... })` and `client.result(job, { ... })`",
  ],
  ["millrace/http", "HandlerOptions", "Handler", "`createHandler(millrace, { ... })`"],
  ["millrace/testing", "TestkitOptions", "Test kit", "`Testkit.open({ ... })`"],
];

export function optionsPage(entries) {
  const [core, ...workloads] = settingGroups([diagrams, sites]);
  const used = new Set();
  const sections = [
    "# Options",
    "Written by `npm run api-reference` from the doc comments and the settings; a test keeps it true.",
    "An embedded engine takes its options in code and reads no environment. The commands of the CLI, `millrace serve` and\n" +
      "`millrace work` among them, read them from the environment or `.env`; `millrace config` prints those in effect.",
    "## Engine",
    "`Millrace.open({ ... })`. Where the server's default differs from the library's, the table shows both.",
    engineTable(entries, core.settings, used),
    "## Server and commands",
    "Settings of the environment that have no option in the library.",
    settingTable(Object.entries(core.settings).filter(([property]) => !used.has(property))),
    ...workloads.flatMap(({ workload, settings }) => [
      `## Workload ${workload}`,
      `Settings of the environment for the workload ${workload}.`,
      settingTable(Object.entries(settings)),
    ]),
    "## Submissions",
    "`millrace.submit(kind, payload, { ... })`, `POST /jobs` and `millrace submit`.",
    submissionTable(entries),
    ...OTHERS.flatMap(([entry, name, title, where]) => [
      `## ${title}`,
      `${where}.`,
      plainTable(membersOf(entries, entry, name)),
    ]),
  ];
  return `${sections.join("\n\n")}\n`;
}

/** Which setting of the environment each option comes from, as the CLI itself puts them together. */
function engineTable(entries, settings, used) {
  const sources = settingsOf(new Proxy({}, { get: (_, property) => property }), []);
  const rows = [...membersOf(entries, "millrace", "MillraceOptions"), ...membersOf(entries, "millrace", "Settings")];
  return table(
    ["Option", "Environment", "Default", "Server's default", "Meaning"],
    rows.map((row) => {
      const property = IN_ENVIRONMENT[row.name] ? undefined : sources[row.name];
      const setting = typeof property === "string" ? settings[property] : undefined;
      if (setting) used.add(property);
      const named = IN_ENVIRONMENT[row.name] ?? (setting ? [setting.name] : []);
      for (const [each, { name }] of Object.entries(settings)) if (named.includes(name)) used.add(each);
      return [
        code(row.name),
        named.map(code).join("<br>"),
        cell(row.default ?? (row.optional ? "" : "required")),
        serverDefault(row, setting),
        cell(row.text),
      ];
    }),
  );
}

/** Said only where it differs. What the environment has in seconds, the library has in milliseconds. */
function serverDefault(row, setting) {
  if (!setting) return "";
  const [own] = /^[\w,]+/.exec((row.default ?? "").replaceAll('"', "")) ?? [""];
  const [others] = /^\w+/.exec(setting.fallbackText) ?? [""];
  const asMs = setting.name.endsWith("_SEC") ? String(Number(others) * 1000) : others;
  return own.replaceAll(",", "") === asMs ? "" : cell(setting.fallbackText);
}

function settingTable(settings) {
  const rows = settings.map(([, { name, alias, fallbackText, doc }]) => [
    [name, ...(alias ? [alias] : [])].map(code).join("<br>"),
    cell(fallbackText),
    cell(doc.replace(/ Default: .*$/, "")),
  ]);
  return table(["Environment", "Default", "Meaning"], rows);
}

function submissionTable(entries) {
  const rows = membersOf(entries, "millrace", "SubmitOptions").map((row) => [
    code(row.name),
    ...elsewhere(row.name),
    cell(row.default ?? ""),
    cell(row.text),
  ]);
  return table(["Library", "HTTP", "Command line", "Default", "Meaning"], rows);
}

function plainTable(rows) {
  return table(
    ["Option", "Default", "Meaning"],
    rows.map((row) => [code(row.name), cell(row.default ?? (row.optional ? "" : "required")), cell(row.text)]),
  );
}

function membersOf(entries, entryName, symbolName) {
  const entry = entries.find(({ name }) => name === entryName);
  const { members } = entry.symbols.find(({ name }) => name === symbolName);
  return members.flatMap((member) => [member, ...(member.members ?? []).filter(({ text }) => text)]);
}
