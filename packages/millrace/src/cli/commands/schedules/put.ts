import type { Client } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { given, oneOf, REMOTE, whole } from "../../arguments/flags.ts";
import { jsonArgument } from "../../arguments/json-argument.ts";
import { withClient } from "../../connect.ts";
import { relative } from "../../output/format.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<name>", "<cron>", "<kind>", "<json|@file|->"],
  flags: {
    zone: { type: "string", value: "<zone>", doc: "time zone, such as Europe/Berlin (default UTC)" },
    priority: { type: "string", value: "<n>", doc: "lower numbers run first (default 0)" },
    tag: { type: "string", multiple: true, value: "<tag>", doc: "add this tag to the jobs; repeatable" },
    overlap: {
      type: "string",
      value: "<rule>",
      choices: ["skip", "allow"],
      doc: "while the previous job is not finished: skip (default) or allow",
    },
    missed: {
      type: "string",
      value: "<rule>",
      choices: ["once", "skip"],
      doc: "runs missed while no worker was running: once (default) or skip",
    },
    paused: { type: "boolean", doc: "save the schedule without running it" },
    ...REMOTE,
  },
  about:
    "The cron rule has five fields: minute, hour, day of month, month, day of week.\nWith --db the kind must be registered by a worker in that store, and the payload is checked when the job runs.",
  examples: [`schedules put weekly "30 6 * * 1" text '{"text": "weekly"}' --zone Europe/Berlin`],
  async run({ args: [name = "", cron = "", kind = "", text = ""], flags }) {
    const { zone: timeZone, overlap, missed, paused, tenant, tag: tags } = flags;
    const rule = {
      cron,
      kind,
      payload: jsonArgument("The payload", text),
      ...given({
        timeZone,
        tenant: tenant === "*" ? undefined : tenant,
        tags,
        paused,
        priority:
          flags.priority === undefined
            ? undefined
            : whole("priority", flags.priority, { min: -1_000_000, max: 1_000_000 }),
        overlap: overlap === undefined ? undefined : oneOf("overlap", overlap, ["skip", "allow"]),
        missed: missed === undefined ? undefined : oneOf("missed", missed, ["once", "skip"]),
      }),
    };
    const put = async (client: Client) => {
      const schedule = await client.schedules.put(name, rule);
      const next = schedule.paused ? "paused" : `next ${relative(schedule.nextAt, Date.now())} (${schedule.nextAt})`;
      return tell(flags, schedule, `${schedule.name}  ${next}`);
    };
    return withClient(flags, put, { submits: true });
  },
});
