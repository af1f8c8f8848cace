// A project from create-millrace, as a user has it: made by the packed creator, with the packed Millrace installed.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { findRuntime } from "../../../packages/millrace/bin/runtimes.js";
import { packed, unpacked } from "../../support/packed.ts";
import { freePort } from "../../support/postgres-server.ts";
import { type Program, root, run, temporaryFolder } from "../../support/program.ts";

export function runtimePath(name: string): string {
  const found = findRuntime({ root, wanted: name });
  assert.ok(!("problem" in found), "problem" in found ? found.problem : "");
  return found.path;
}

/** PATH with the runtimes of this repository first. */
export function pathWithRuntimes(): string {
  return [dirname(runtimePath("node")), dirname(runtimePath("bun")), process.env["PATH"]].join(delimiter);
}

/** Runs the packed create-millrace in a new folder. */
async function create(t: TestContext, args: readonly string[], path: string) {
  const cwd = temporaryFolder(t);
  const creator = await unpacked("create-millrace", temporaryFolder(t));
  const command = [runtimePath("node"), join(creator, "bin/create-millrace.js"), ...args];
  const program = run(t, command, { cwd, env: { PATH: path, ...npmSettings() } });
  program.child.stdin?.end();
  const { code } = await program.ended();
  return { code, stdout: program.stdout(), stderr: program.stderr(), cwd };
}

const OF_PACKAGE_MANAGERS =
  /^npm_config_|^BUN_INSTALL|^BUN_CONFIG|^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$|^(https?|no)_proxy$/i;

/** How package managers reach their registry can be set by variables, which a test's programs do not inherit otherwise. */
export function npmSettings(): Record<string, string> {
  const names = Object.keys(process.env).filter((name) => OF_PACKAGE_MANAGERS.test(name));
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? ""]));
}

export class NewProject {
  readonly folder: string;
  readonly #t: TestContext;
  readonly #env: Record<string, string>;
  #port = 0;

  private constructor(t: TestContext, folder: string, env: Record<string, string>) {
    this.#t = t;
    this.folder = folder;
    this.#env = env;
  }

  static async create(
    t: TestContext,
    args: readonly string[],
    env: Record<string, string> = {},
    path = pathWithRuntimes(),
  ): Promise<NewProject> {
    const made = await create(t, ["my-app", "--millrace", await packed("millrace"), ...args], path);
    assert.equal(made.code, 0, made.stdout + made.stderr);
    return new NewProject(t, join(made.cwd, "my-app"), env);
  }

  /** The command of a script in package.json, started without the package manager between it and its signals. */
  async start(script: string): Promise<Program> {
    this.#port ||= await freePort();
    const { scripts } = JSON.parse(readFileSync(join(this.folder, "package.json"), "utf8"));
    const [program = "", ...args] = scripts[script].split(" ").map((word: string) => word.replaceAll('"', ""));
    const bin = join(this.folder, "node_modules/.bin", program);
    const path = existsSync(bin) ? bin : runtimePath(program);
    const env = { PATH: pathWithRuntimes(), PORT: String(this.#port), ...this.#env };
    return run(this.#t, [path, ...args], { cwd: this.folder, env });
  }

  /** Runs a script to its end, which must be a good one. */
  async passes(script: string): Promise<void> {
    const program = await this.start(script);
    assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stdout() + program.stderr());
  }

  /** A new user signs up at the web process. */
  async signUp(email: string): Promise<{ jobId: string; dashboard: string }> {
    const response = await this.fetch("/signup", { method: "POST", body: JSON.stringify({ name: "Ada", email }) });
    assert.equal(response.status, 202);
    return (await response.json()) as { jobId: string; dashboard: string };
  }

  /** With the password that the creator wrote to .env. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const [, password] = /^DASHBOARD_PASSWORD=(.*)$/m.exec(readFileSync(join(this.folder, ".env"), "utf8")) ?? [];
    const authorization = `Basic ${Buffer.from(`ada:${password}`).toString("base64")}`;
    return fetch(this.url(path), { ...init, headers: { authorization } });
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }
}

export async function stops(...programs: Program[]): Promise<void> {
  for (const program of programs) program.child.kill("SIGTERM");
  for (const program of programs)
    assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stdout() + program.stderr());
}
