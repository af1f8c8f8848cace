// runtimes: bun
// The files in deploy/ speak of commands, settings, routes and figures that exist. On Bun, which reads YAML.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "../packages/millrace/src/cli/arguments/command.ts";
import { COMMANDS } from "../packages/millrace/src/cli/commands.ts";
import { SETTINGS } from "../packages/millrace/src/config/settings.ts";
import { engineRoot, root } from "./support/program.ts";

const { YAML } = (globalThis as unknown as { Bun: { YAML: { parse(text: string): unknown } } }).Bun;
const read = (file: string) => readFileSync(join(root, "deploy", file), "utf8");
const yaml = (file: string) => YAML.parse(read(file)) as never;

const KNOWN_SETTINGS = new Set(Object.values(SETTINGS).map(({ name }) => name));
/** Of the runtime, of systemd and of the database's own image. */
const OTHER_VARIABLES = ["NODE_ENV", "POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"];

test("the compose file runs commands and sets settings that exist", async () => {
  const { services } = yaml("compose.yaml") as { services: Record<string, Service> };
  assert.deepEqual(Object.keys(services), ["db", "server", "worker"]);
  await checkCommand(services["server"]?.command ?? []);
  await checkCommand(services["worker"]?.command ?? []);
  for (const { environment = {} } of Object.values(services)) checkVariables(Object.keys(environment));
  assert.ok(existsSync(join(root, "deploy", services["server"]?.build?.context ?? "", "deploy/server.Dockerfile")));
});

test("the Dockerfiles set settings that exist, and start the package's own command", () => {
  for (const file of ["server.Dockerfile", "app.Dockerfile"]) {
    const variables = [...read(file).matchAll(/^ENV (.+)$/gm)].flatMap(([, line = ""]) => line.split(" "));
    checkVariables(variables.map((each) => each.split("=")[0] ?? ""));
  }
  assert.match(read("server.Dockerfile"), /ENTRYPOINT \["node", "node_modules\/millrace\/bin\/millrace\.js"\]/);
  const packed = [...read("server.Dockerfile").matchAll(/--workspace (\S+)/g)].map(([, name]) => name);
  for (const name of packed) assert.ok(existsSync(join(root, "node_modules", name ?? "", "package.json")), name);
});

test("the units start the package's own command, with settings that exist", async () => {
  for (const file of ["millrace.service", "millrace-worker@.service"]) {
    const [, path = "", ...args] = /^ExecStart=(.+)$/m.exec(read(file))?.[1]?.split(" ") ?? [];
    assert.ok(existsSync(join(engineRoot, path.replace("node_modules/millrace/", ""))), path);
    await checkCommand(args);
    const set = /^Environment=(.+)$/m.exec(read(file))?.[1]?.split(" ") ?? [];
    checkVariables(set.map((each) => each.split("=")[0] ?? ""));
  }
});

test("the chart runs commands and sets settings that exist, and probes routes that exist", async () => {
  const values = yaml("helm/millrace/values.yaml") as { server: { args: string[] }; worker: { args: string[] } };
  await checkCommand(values.server.args);
  await checkCommand(values.worker.args);
  const helpers = read("helm/millrace/templates/_helpers.tpl");
  checkVariables([...helpers.matchAll(/^- name: ([A-Z_]+)$/gm)].map(([, name = ""]) => name));
  const probes = [...read("helm/millrace/templates/server.yaml").matchAll(/httpGet: \{ path: (\S+),/g)];
  assert.deepEqual(
    probes.map(([, path]) => path),
    ["/health", "/ready"],
  );
  const { version } = yaml("helm/millrace/Chart.yaml") as { version: string };
  assert.equal(version, JSON.parse(readFileSync(join(engineRoot, "package.json"), "utf8")).version);
});

test("every block that a template of the chart opens is closed", () => {
  for (const file of readdirSync(join(root, "deploy/helm/millrace/templates"))) {
    const words = [...read(`helm/millrace/templates/${file}`).matchAll(/\{\{-? *(if|with|range|define|end)\b/g)];
    const opened = words.filter(([, word]) => word !== "end").length;
    assert.equal(words.length - opened, opened, file);
  }
});

test("the alerts use figures that exist", () => {
  const figures = readFileSync(join(engineRoot, "src/telemetry/prometheus.ts"), "utf8");
  const used = [...read("alerts.yaml").matchAll(/\bmillrace_\w+/g)].map(([name]) => name.replace(/_bucket$/, ""));
  assert.ok(used.length > 5);
  for (const name of used) assert.ok(figures.includes(`"${name}"`), name);
  const { groups } = yaml("alerts.yaml") as { groups: { rules: { alert: string }[] }[] };
  assert.equal(groups[0]?.rules.length, 8);
});

interface Service {
  readonly command?: string[];
  readonly environment?: Record<string, string>;
  readonly build?: { readonly context: string };
}

async function checkCommand([name = "", ...args]: string[]): Promise<void> {
  const entry = COMMANDS.find((each) => each.name === name);
  assert.ok(entry, `there is no command "${name}"`);
  parse((await entry.load()).command, args);
}

function checkVariables(names: readonly string[]): void {
  const unknown = names.filter((name) => !KNOWN_SETTINGS.has(name) && !OTHER_VARIABLES.includes(name));
  assert.deepEqual(unknown, []);
}
