// The public entries in the order of the reference, each with its groups. A symbol that no group names comes after them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./program.js";

const PAGES = [
  {
    name: "millrace",
    page: "millrace.md",
    intro: "The engine: define kinds, open a store, submit jobs, wait for results, look at and control what runs.",
    groups: {
      "Open and submit": "Millrace MillraceOptions Settings DEFAULTS SubmitOptions JobHandle WaitOptions",
      "In your own transaction":
        "JobsWithin SubmitReceipt TransactionHandle TransactionSource DatabaseSource TransactionOf PgTransaction " +
        "PostgresJsTransaction DrizzleTransaction KyselyTransaction KnexTransaction PrismaTransaction TypeormTransaction",
      Events:
        "Hook HookOptions JobEvents JobEventName JobEvent AttemptEvent SubmittedEvent StartedEvent ProgressEvent " +
        "StageCompletedEvent AttemptFailedEvent DeferredEvent HeldEvent CompletedEvent FailedEvent CancelledEvent Change",
      Stores: "sqlite SqliteOptions postgres PostgresOptions StoreFactory",
      "Define work":
        "defineKind KindOptions ContractOptions WorkOptions StageOptions InlineStage IsolatedStage Pace moduleOf ModuleOf",
      Contracts: "work Contract ContractWork Kind StagedKind Stage",
      "Inside a processor":
        "Processor Middleware AnyMiddleware Context JobLog JobFailure FailureOptions LeaseLost LossReason UniqueKey Shareable",
      "Look at jobs":
        "JobView JobFilter JobState Standing AttemptView AttemptOutcome Failure ErrorAccount Explanation Reason ReasonCode " +
        "LogLine Step Artifact ArtifactInfo Progress ReviveRequest",
      Schedules: "Schedules ScheduleRule ScheduleView",
      Records:
        "Records StoredRecord RecordOptions PutRecordOptions UpdateRecordOptions DeleteRecordOptions ListRecordsOptions RecordPage",
      "Shared artifacts": "SharedArtifacts OpenedLink Memory Recalled",
      Operate:
        "Admin Health Readiness OutboxState OutboxSight MetricsView StageView TenantTotals Percentiles DeploymentView UnservedStage KindInfo StageInfo " +
        "KindCounts PoolView ProcessorView InstancePoolView InstanceView DeadLetterGroup TenantCounts",
      "Logs and errors": "createLog LogOptions Log LogMethods GivenLog Fields AppError AppErrorOptions",
      Confinement: "confinement Confinement describeConfinement ConfinementWords",
    },
  },
  {
    name: "millrace/client",
    page: "client.md",
    intro: "A typed client of a Millrace server, on `fetch` alone. It runs on Node, Bun, Deno and in browsers.",
    groups: {
      Client: "createClient ClientOptions Client JobCalls DeadLetterCalls SystemCalls ScheduleCalls AccessCalls",
      "Options and filters":
        "SubmitOptions Submission WaitOptions CallOptions ScheduleOptions JobFilter DeadLetterFilter JobRef",
      Errors: "MillraceError MillraceErrorDetails ClientCode RequestIssue",
      "Live feed": "LiveEvent LiveOptions",
      "Typed kinds": "KindMap KindShape InputOf ResultOf JobOf NoKinds LooseName",
      "What the API returns":
        "Job JobList Attempt ErrorAccount Explanation LogLine Step ArtifactInfo ManyAnswer DeadLetter DeadLetterList " +
        "DeadLetterGroup KindInfo PoolInfo ProcessorInfo InstanceInfo Deployment Schedule Metrics FigurePoint Health Key " +
        "Tenant AuditEntry",
      "For the clients of workloads": "ClientPart Connection Fetch Route RouteTable ParamsOf QueryOf BodyOf AnswerOf",
    },
  },
  {
    name: "millrace/http",
    page: "http.md",
    intro: "The API and the dashboard, mounted in your own application.",
    groups: {
      Handler: "createHandler HandlerOptions HandlerAuth Identity Scope Handler toNodeHandler NodeHandler",
    },
  },
  {
    name: "millrace/testing",
    page: "testing.md",
    intro: "A test kit for your kinds: the real engine in memory, with a clock that you move.",
    groups: { "Test kit": "Testkit TestkitOptions ManualClock" },
  },
  {
    name: "millrace/processor",
    page: "processor.md",
    intro:
      "For modules of isolated processors: a small part of `millrace`, so that a child process starts faster and smaller.",
    groups: { "For a processor": "Context Processor JobFailure FailureOptions AppError AppErrorOptions handedDown" },
  },
  {
    name: "millrace/isolated",
    page: "isolated.md",
    intro: "The confined child processes of isolated stages, for libraries that need neither a store nor jobs.",
    groups: {},
  },
  {
    name: "millrace/shapes",
    page: "shapes.md",
    intro: "Routes as data and the schemas that they share, for the HTTP API of a workload. It loads no server.",
    groups: { Routes: "route RouteSpec Access Schema Nothing", Schemas: "shapesOf jobShapesOf startsOnce YEAR_MS" },
  },
  {
    name: "millrace/settings",
    page: "settings.md",
    intro: "Environment variables with parsers, defaults and documentation, for the settings of a workload.",
    groups: {
      Settings: "setting secret Setting SettingTable SettingValues Surroundings",
      Parsers:
        "Parser Parsed integer timerMs seconds oneOf yesNo list path hostName httpUrl headerSafe label origins addressRanges",
    },
  },
  {
    name: "millrace/workload",
    page: "workload.md",
    intro: "What a workload needs to bring routes, settings, commands and pages.",
    groups: {
      Workload: "defineWorkload WorkloadOptions Workload Setup RouteSetup Limiters WorkloadPages",
      Routes:
        "bind Bound Exchange Incoming Answered Caller ERRORS ErrorTable readJson " +
        "readText findJob submitOptionsOf idempotencyOfBody traceParentOf cursorOf idOfCursor oneTenant lookingAt sees",
      "Doctor and commands": "Finding ok warn fail CommandEntry",
    },
  },
  {
    name: "millrace/dashboard",
    page: "dashboard.md",
    intro: "What the dashboard pages of a workload are built with.",
    groups: {
      Pages: "definePages Pages",
      Data:
        "useLiveQuery LiveQueryOptions LiveResult useAct ActOptions Act useClient clientFor useSession Session useMay Scope " +
        "sentenceOf",
      "Live feed": "useLiveEvent useMoves Moves Moved useLiveState LiveState",
      Navigation: "Link navigate usePlace Place useQueryState hrefOf addressOf",
      Parts:
        "Page Panel Table Column Button Dialog Input TextArea Select Check Segments Badge Tone Status Progress Json CopyButton " +
        "Icon IconName IconPath JobResult SomeFirst LongText",
      States: "Loaded Loading Empty Trouble say",
      Format:
        "count compact plural duration relative exact clock bytes preview Ago Moment Lasting Left useNow useTheme",
    },
  },
  {
    name: "millrace/cli",
    page: "cli.md",
    intro: "What the commands of a workload need: flags, a client, tables and colours.",
    groups: {
      Commands: "defineCommand Command Flag Flags Values UsageError EXIT",
      Flags: "REMOTE RemoteFlags SUBMISSION WATCH submissionOf given whole",
      "Clients and settings":
        "withClient FileOptions waitForJob loadConfigOrComplain Config SettingGroup WorkloadSettings PoolOverride " +
        "PoolOverrides Pace",
      Output: "show tell ShowFlags table Column paint Style Progress Terminal plural relative oneLine manyLines",
    },
  },
  {
    name: "millrace/chromium",
    page: "chromium.md",
    intro: "A Chromium for workloads that draw or print with one: find it, start it, use its pages.",
    groups: {},
  },
  {
    name: "millrace/outbox",
    page: "outbox.md",
    intro: "Outboxes: rows that your transactions insert into a database of yours become jobs.",
    groups: {
      Databases: "outbox Outbox OutboxOptions Dialect MysqlPool LibsqlClient",
      "In your own transaction":
        "OutboxJobs SqliteOutboxJobs OutboxReceipt OutboxTransaction MysqlConnection SqliteConnection",
    },
  },
  {
    name: "millrace/text",
    page: "text.md",
    intro: "The demo workload with the kind `text`, for `millrace serve --load millrace/text`.",
    groups: {},
  },
  {
    name: "@millrace/diagrams",
    page: "diagrams.md",
    intro: "The diagram workload: Mermaid, D2 and Graphviz as a service.",
    groups: {},
  },
  {
    name: "@millrace/diagrams/client",
    page: "diagrams-client.md",
    intro: "The calls of the diagram workload, for the typed client.",
    groups: {},
  },
  {
    name: "@millrace/diagrams/workload",
    page: "diagrams-workload.md",
    intro: "The diagram workload alone, for `millrace serve --load`.",
    groups: {},
  },
  {
    name: "@millrace/diagrams/markdown",
    page: "diagrams-markdown.md",
    intro: "Plugins for remark and markdown-it that draw fenced diagrams.",
    groups: {},
  },
  {
    name: "@millrace/sites",
    page: "sites.md",
    intro: "The site workload: how AI models see a website.",
    groups: {},
  },
  {
    name: "@millrace/sites/client",
    page: "sites-client.md",
    intro: "The calls of the site workload, for the typed client.",
    groups: {},
  },
  {
    name: "@millrace/sites/workload",
    page: "sites-workload.md",
    intro: "The site workload alone, for `millrace serve --load`.",
    groups: {},
  },
];

/** The source of each entry, by the name it is imported under. */
export const SOURCES = new Map(
  readdirSync(join(root, "packages")).flatMap((folder) => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"));
    return Object.entries(exports)
      .filter(([, target]) => target["millrace-source"] !== undefined)
      .map(([path, target]) => [name + path.slice(1), join("packages", folder, target["millrace-source"])]);
  }),
);

export const ENTRIES = PAGES.map((page) => ({ ...page, file: SOURCES.get(page.name) }));
