// What a program builds on an engine, without a type annotation anywhere.

import {
  AppError,
  confinement,
  createLog,
  DEFAULTS,
  describeConfinement,
  type LeaseLost,
  Millrace,
  postgres,
  sqlite,
} from "millrace";
import { createHandler, toNodeHandler } from "millrace/http";
import { Testkit } from "millrace/testing";
import { z } from "zod";
import { contract, kinds, staged } from "./kinds.ts";

type Engine = Awaited<ReturnType<typeof openEngine>>;
/** Every member of a class by its parameters and result, so that all their types must have names. */
type Members<T> = {
  [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result ? [Args, Result] : T[Name];
};

export const stores = [sqlite("./jobs.db"), postgres("postgres://localhost/jobs")];
export const openEngine = () => Millrace.open({ store: sqlite("./jobs.db"), kinds });
export const submitted = async (engine: Engine) => ({
  one: await engine.submit(staged, { url: "" }),
  many: await engine.submitMany(contract, [{ id: "" }]),
  result: await (await engine.submit(contract, { id: "" })).wait(),
});
export const looked = async (engine: Engine) => ({
  job: await engine.find(""),
  attempts: await engine.attempts(""),
  logs: await engine.logs(""),
  steps: await engine.steps(""),
  explanation: await engine.explain(""),
  kinds: await engine.kinds(),
  named: engine.kindNamed(""),
  pools: engine.pools(),
  health: await engine.health(),
  readiness: await engine.readiness(),
  deployments: await engine.deployments(),
  metrics: await engine.metrics(),
  artifact: await engine.artifact("", ""),
  records: engine.records<{ at: Date }>("space"),
  typed: engine.records("space", { schema: z.object({ at: z.coerce.date() }) }),
  page: await engine.records<number>("space").list(),
  listened: engine.listen((change) => change),
  instances: await engine.admin.instances(),
  allPools: await engine.admin.pools(),
  allKinds: await engine.admin.kinds(),
  groups: await engine.admin.deadLetterGroups({}),
  tenants: await engine.admin.tenants(),
  scheduled: await engine.schedules.list(),
  link: await engine.shared.open(""),
  admin: engine.admin,
  schedules: engine.schedules,
});
// Response takes bytes of an ArrayBuffer alone since TypeScript 5.7.
export const statuses = async (engine: Engine) => [
  new Response((await engine.artifact("", ""))?.bytes ?? null).status,
  new Response((await engine.shared.open(""))?.bytes ?? null).status,
];
export const engineMembers = {} as Members<Engine>;
export const recordMembers = {} as Members<ReturnType<Engine["records"]>>;
export const scheduleMembers = {} as Members<Engine["schedules"]>;
export const sharedMembers = {} as Members<Engine["shared"]>;
export const log = createLog({ level: "warn" });
export const defaults = { ...DEFAULTS };
export const words = describeConfinement(confinement());
export const reasonOf = (error: LeaseLost) => error.reason;
export const isOurs = (error: unknown) => (error instanceof AppError ? error : undefined);
export const handler = async () => createHandler(await openEngine(), { auth: () => undefined });
export const nodeHandler = async () => toNodeHandler(await handler());
export const openKit = () => Testkit.open({ kinds });
export const kitMembers = {} as Members<Awaited<ReturnType<typeof openKit>>>;
