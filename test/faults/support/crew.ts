// Starts the processes of a test and sees to it that none outlives it, whatever happens.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../support/until.ts";
import { check, type Expectation } from "./checker.ts";
import { type Event, History, readHistories } from "./history.ts";
import { type Errand, type KindName, STAGES } from "./kinds.ts";
import type { Command, Plan } from "./program.ts";
import { type SmallDisk, smallDisk } from "./small-disk.ts";
import { canWrite, countUnfinished, readBeats, readStore, type StoreFacts } from "./store-facts.ts";

const PROGRAM = fileURLToPath(new URL("./program.ts", import.meta.url));

export const ANOTHER_MACHINE = "another-boot pid:[1] 1 1";

/** `program`: another than this version's own. */
export type Part = Omit<Plan, "folder" | "db" | "by"> & { program?: string };

export class Crew {
  readonly folder = mkdtempSync(join(tmpdir(), "millrace-faults-"));
  readonly history: History;
  db: string;
  readonly #members = new Set<Member>();
  readonly #undo: (() => void | Promise<void>)[] = [];
  #runs = 0;

  constructor(test: TestContext) {
    this.db = join(this.folder, "jobs.db");
    this.history = new History(this.folder, "test");
    test.after(() => this.#disband());
  }

  /** `before` is what the program is started with: strace, prlimit ... */
  start(name: string, part: Part, before: string[] = []): Member {
    const by = `${name}-${++this.#runs}`;
    const { program = PROGRAM, ...asked } = part;
    const plan: Plan = { folder: this.folder, db: this.db, by, ...asked };
    const member = new Member(by, [...before, process.execPath, program, JSON.stringify(plan)], this.history);
    this.#members.add(member);
    const takesWork = () => this.history.append({ type: "ready", who: by });
    if (part.works?.length) member.ready.then(takesWork, () => {});
    return member;
  }

  async ready(name: string, part: Part, before: string[] = []): Promise<Member> {
    const member = this.start(name, part, before);
    await member.ready;
    return member;
  }

  /** SIGKILL, written down: what it held from then on waits for somebody else. */
  async kill(member: Member): Promise<void> {
    // Written first: whatever is taken back from it is taken back after this moment.
    this.history.append({ type: "killed", who: member.by });
    member.signal("SIGKILL");
    await member.exited;
  }

  /** SIGSTOP, but not in the middle of a commit: then it would keep the lock, and everybody would wait (locked.test.ts). */
  async pause(member: Member): Promise<void> {
    this.history.append({ type: "halted", who: member.by });
    const free = () => {
      member.signal("SIGSTOP");
      if (canWrite(this.db)) return true;
      member.signal("SIGCONT");
      return false;
    };
    await until(`${member.by} stands still outside a commit`, free, 5_000);
  }

  /** As if it ran on another machine: only its lease can tell that it is dead. */
  async moveAway(member: Member): Promise<void> {
    const db = new DatabaseSync(this.db, { timeout: 5_000 });
    db.prepare("UPDATE instance SET place = ? WHERE name LIKE ?").run(ANOTHER_MACHINE, `%:${member.pid}`);
    db.close();
  }

  /** When its leases end, as its row says. */
  async leaseEndOf(member: Member): Promise<number> {
    const db = new DatabaseSync(this.db, { readOnly: true, timeout: 5_000 });
    const row = db.prepare("SELECT expires_at FROM instance WHERE name LIKE ?").get(`%:${member.pid}`);
    db.close();
    return Number(row?.["expires_at"]);
  }

  /** Its row says that it is about to stop. */
  async isDraining(member: Member): Promise<boolean> {
    const db = new DatabaseSync(this.db, { readOnly: true, timeout: 5_000 });
    const row = db.prepare("SELECT draining FROM instance WHERE name LIKE ?").get(`%:${member.pid}`);
    db.close();
    return row?.["draining"] === 1;
  }

  /** Nobody else writes until what is given back was called; reads go on. */
  async lock(): Promise<() => Promise<void>> {
    const db = new DatabaseSync(this.db, { timeout: 5_000 });
    const unlock = async () => {
      if (db.isOpen) db.close();
    };
    this.beforeItGoes(unlock);
    db.exec("BEGIN IMMEDIATE");
    return unlock;
  }

  /** A disk of its own for the store; the histories stay outside. */
  async onSmallDisk(t: TestContext): Promise<SmallDisk | undefined> {
    const disk = smallDisk(t, join(this.folder, "disk"), (unmount) => this.beforeItGoes(unmount));
    if (disk) this.db = join(disk.folder, "jobs.db");
    return disk;
  }

  /** Every living process gave a sign of life within this time. */
  async allBeatWithin(ms: number): Promise<boolean> {
    return readBeats(this.db).every((beatAt) => Date.now() - beatAt < ms);
  }

  gate(name: string): string {
    return join(this.folder, `gate-${name}`);
  }

  open(gate: string): void {
    writeFileSync(gate, "");
  }

  events(): Event[] {
    return readHistories(this.folder);
  }

  /** The events of one type, of one run or of all. */
  all<T extends Event["type"]>(type: T, by?: Member): Extract<Event, { type: T }>[] {
    const events = by ? this.eventsOf(by) : this.events();
    return events.filter((event): event is Extract<Event, { type: T }> => event.type === type);
  }

  eventsOf(member: Member): Event[] {
    return readHistories(this.folder, (by) => by === member.by);
  }

  /** Waits for the last job. The limit counts from the job that finished before: a busy machine is slow, but steady. */
  async allFinished(withinMs: number): Promise<void> {
    for (let left = await this.countUnfinished(); left > 0; ) {
      const before = left;
      const moved = async () => {
        left = await this.countUnfinished();
        return left !== before;
      };
      await until(`fewer than ${before} jobs are left`, moved, withinMs, 20);
    }
  }

  async countUnfinished(): Promise<number> {
    return countUnfinished(this.db);
  }

  async stored(): Promise<StoreFacts> {
    return readStore(this.db);
  }

  /** What the checker finds, after all have stopped or while they idle. */
  async found(expected: Partial<Expectation> = {}): Promise<string[]> {
    return check(this.events(), await this.stored(), { leaseMs: 15_000, stages: STAGES, ...expected });
  }

  /** Done when all processes have ended, before the folder is removed. */
  beforeItGoes(undo: () => void | Promise<void>): void {
    this.#undo.push(undo);
  }

  async #disband(): Promise<void> {
    for (const member of this.#members) member.signal("SIGKILL");
    await Promise.all([...this.#members].map((member) => member.exited));
    for (const undo of this.#undo) await undo();
    this.history.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One run of the program. */
export class Member {
  readonly by: string;
  readonly ready: Promise<void>;
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  readonly #process: ChildProcess;
  readonly #history: History;
  readonly #waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  #words = "";
  #calls = 0;
  #gone = false;

  constructor(by: string, command: string[], history: History) {
    this.by = by;
    this.#history = history;
    this.#process = spawn(command[0] as string, command.slice(1), { stdio: ["ignore", "pipe", "pipe", "ipc"] });
    const listen = (chunk: Buffer) => {
      this.#words = (this.#words + chunk.toString()).slice(-4_000);
    };
    this.#process.stdout?.on("data", listen);
    this.#process.stderr?.on("data", listen);
    this.exited = new Promise((resolve) => {
      this.#process.on("exit", (code, signal) => {
        this.#gone = true;
        for (const { reject } of this.#waiting.values()) reject(new Error(`${by} is gone`));
        resolve({ code, signal });
      });
    });
    this.ready = new Promise((resolve, reject) => {
      this.#process.on(
        "message",
        (message: { ready?: true; number: number; ok?: unknown; error?: { code: string; message: string } }) => {
          if (message.ready) return resolve();
          const { resolve: answer, reject: refuse } = this.#waiting.get(message.number) ?? {};
          this.#waiting.delete(message.number);
          if (message.error) refuse?.(Object.assign(new Error(message.error.message), { code: message.error.code }));
          else answer?.(message.ok as never);
        },
      );
      void this.exited.then(({ code, signal }) => reject(new Error(`${by} ended (${code ?? signal}): ${this.#words}`)));
    });
    this.ready.catch(() => {});
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  get words(): string {
    return this.#words;
  }

  get gone(): boolean {
    return this.#gone;
  }

  signal(name: NodeJS.Signals): void {
    if (!this.#gone) this.#process.kill(name);
  }

  ask<T>(command: Command): Promise<T> {
    if (this.#gone) return Promise.reject(new Error(`${this.by} is gone`));
    return new Promise((resolve, reject) => {
      const number = this.#calls++;
      this.#waiting.set(number, { resolve: resolve as never, reject });
      this.#process.send({ number, command }, (error) => error && reject(error));
    });
  }

  submit(
    kind: KindName,
    errands: Errand[],
    options?: Extract<Command, { do: "submit" }>["options"],
  ): Promise<string[]> {
    return this.ask({ do: "submit", kind, errands, ...(options && { options }) });
  }

  /** SIGTERM, and how it ended. */
  async stop(): Promise<{ code: number | null; signal: string | null }> {
    this.#history.append({ type: "halted", who: this.by });
    this.signal("SIGTERM");
    return this.exited;
  }
}
