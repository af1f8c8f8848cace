import { type Client, MillraceError } from "../../../client/index.ts";
import { defineCommand, UsageError } from "../../command.ts";
import { type RemoteFlags, withClient, withFile } from "../../connect.ts";
import { given, moment, REMOTE } from "../../flags.ts";
import { loadConfigOrComplain } from "../../load.ts";
import { paint } from "../../output/paint.ts";
import { say } from "../../output/show.ts";

const SCOPES = ["submit", "read", "admin"] as const;

export const command = defineCommand({
  args: ["<name>"],
  flags: {
    scopes: { type: "string", value: "<a,b>", doc: "of submit, read, admin (submit,read)" },
    expires: { type: "string", value: "<time>", doc: "a time, or 90d for ninety days from now" },
    ...REMOTE,
  },
  about:
    "Its secret is shown once. With no server running it is made in the file itself, so the first key can come first.",
  examples: ["keys create ci --tenant acme --scopes submit,read --expires 90d", "keys create ops --db ./data/jobs.db"],
  async run({ args: [name = ""], flags }) {
    const tenant = flags.tenant ?? loadConfigOrComplain({ listens: false }).tenant ?? "default";
    const request = {
      name,
      tenant,
      scopes: scopesOf(flags.scopes ?? "submit,read"),
      ...given({
        expiresAt: flags.expires === undefined ? undefined : moment("expires", flags.expires, Date.now(), 1),
      }),
    };
    // The key belongs to that tenant; whoever makes it need not.
    const { tenant: _tenant, ...remote } = flags;
    const key = await anywhere(remote, (client) => client.keys.create(request));
    if (flags.json) say(JSON.stringify(key, null, 2));
    else {
      say(key.secret);
      const about = `key ${key.id} for tenant ${tenant}: ${key.scopes.join(", ")}. The secret above is not shown again.`;
      process.stderr.write(`${paint("dim", about, process.stderr)}\n`);
    }
    return 0;
  },
});

/** Through the server; where none is named and none answers, in the file. */
async function anywhere<T>(flags: RemoteFlags, use: (client: Client) => Promise<T>): Promise<T> {
  const config = loadConfigOrComplain({ listens: false });
  if (flags.db !== undefined) return withFile(config, { db: flags.db, makeFile: true }, use);
  const named = flags.url !== undefined || config.serverUrl !== undefined;
  if (!named && !(await answers(flags))) return withFile(config, { makeFile: true }, use);
  return withClient(flags, use);
}

async function answers(flags: RemoteFlags): Promise<boolean> {
  try {
    await withClient(flags, (client) => client.health());
    return true;
  } catch (error) {
    if (error instanceof MillraceError && error.code === "unreachable") return false;
    throw error;
  }
}

function scopesOf(text: string): (typeof SCOPES)[number][] {
  return text.split(",").map((word) => {
    const scope = SCOPES.find((each) => each === word.trim());
    if (scope === undefined) throw new UsageError(`--scopes has "${word}". Allowed: ${SCOPES.join(", ")}.`);
    return scope;
  });
}
