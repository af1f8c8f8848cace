import type { Client, TenantLimits } from "../../../client/index.ts";
import { defineCommand, UsageError } from "../../arguments/command.ts";
import { oneOf, REMOTE, whole } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { limitsInWords, rateOf } from "../../output/limits.ts";
import { tell } from "../../output/show.ts";

/** The server knows the exact bounds. */
const MOST = { min: 0, max: 1_000_000_000 };
const FLAGS = {
  concurrency: { type: "string", value: "<n>", doc: "jobs that run at the same time; 0: no limit" },
  rate: { type: "string", value: "<n/time>", doc: "new jobs in any period, such as 100/1m; 0/1m: no limit" },
  weight: { type: "string", value: "<n>", doc: "share of the processors while other tenants wait too (default 1)" },
  "queue-max": { type: "string", value: "<n>", doc: "due pending jobs of the tenant in one stage; 0: no limit" },
  overflow: {
    type: "string",
    value: "<rule>",
    doc: "new jobs while the tenant is at its limit of running jobs: reject or queue",
  },
} as const;
/** The value that removes one of the tenant's own limits. */
const NONE = "default";

export const command = defineCommand({
  args: ["<tenant>"],
  flags: { ...FLAGS, remove: { type: "boolean", doc: "delete all of the tenant's own limits" }, ...REMOTE },
  about:
    "Without flags it shows the limits. A flag changes one limit and leaves the others; the value default removes it,\nso that the server's setting applies again.",
  examples: [
    "tenants limits acme",
    "tenants limits acme --concurrency 5 --rate 100/1m --weight 2",
    "tenants limits acme --rate default",
    "tenants limits acme --remove",
  ],
  async run({ args: [tenant = ""], flags }) {
    const changes = Object.entries(READ).flatMap(([name, read]) => {
      const text = flags[name as keyof typeof FLAGS];
      return text === undefined ? [] : [text === NONE ? without(name as keyof typeof READ) : read(text)];
    });
    if (flags.remove && changes.length > 0) throw new UsageError("Give either --remove or limits, not both.");
    return withClient(flags, async (client) => {
      const limits = flags.remove ? await removed(client, tenant) : await changed(client, tenant, changes);
      return tell(flags, { tenant, limits }, `${tenant}  ${limitsInWords(limits)}`);
    });
  },
});

type Change = (limits: TenantLimits) => TenantLimits;

async function changed(client: Client, tenant: string, changes: readonly Change[]): Promise<TenantLimits> {
  const limits = await client.limits.tenant(tenant);
  if (changes.length === 0) return limits;
  const wanted = changes.reduce((before, change) => change(before), limits);
  return Object.keys(wanted).length > 0 ? client.limits.setTenant(tenant, wanted) : removed(client, tenant);
}

async function removed(client: Client, tenant: string): Promise<TenantLimits> {
  await client.limits.removeTenant(tenant);
  return {};
}

const READ: { readonly [Name in keyof typeof FLAGS]: (text: string) => Change } = {
  concurrency: (text) => adding({ concurrency: whole("concurrency", text, MOST) }),
  rate: (text) => adding({ rate: rateOf("rate", text) }),
  weight: (text) => adding({ weight: weightOf(text) }),
  "queue-max": (text) => adding({ queueMax: whole("queue-max", text, MOST) }),
  overflow: (text) => adding({ overflow: oneOf("overflow", text, ["reject", "queue"]) }),
};

function adding(more: TenantLimits): Change {
  return (limits) => ({ ...limits, ...more });
}

function without(flag: keyof typeof READ): Change {
  const name = flag === "queue-max" ? "queueMax" : flag;
  return ({ [name]: _gone, ...rest }) => rest;
}

function weightOf(text: string): number {
  const weight = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new UsageError(`--weight is "${text}". Allowed: a number such as 2 or 0.5.`);
  return weight;
}
