import { type Client, type Key, MillraceError } from "../../../client/index.ts";
import { defineCommand, UsageError } from "../../arguments/command.ts";
import { given, moment, REMOTE } from "../../arguments/flags.ts";
import { type RemoteFlags, withClient, withFile } from "../../connect.ts";
import { loadConfigOrComplain } from "../../load.ts";
import { paint } from "../../output/paint.ts";
import { say } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<name>"],
  flags: {
    scopes: {
      type: "string",
      value: "<a,b>",
      choices: ["submit", "read", "draw", "admin"],
      doc: "submit, read, draw, admin, and scopes of workloads (default submit,read)",
    },
    expires: {
      type: "string",
      value: "<time>",
      doc: "expiry: a time, or 90d for ninety days from now (default: never)",
    },
    ...REMOTE,
  },
  about:
    "Prints the secret once; it cannot be shown again.\nIf no server is running, the key is created in the store directly, so you can create it before the first start.",
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
    // The key belongs to that tenant; the administrator who creates it need not.
    const { tenant: _tenant, ...remote } = flags;
    const key = await anywhere(remote, (client) => client.keys.create(request));
    if (flags.json) say(JSON.stringify(key, null, 2));
    else {
      say(key.secret);
      const about = `Key ${key.id} for tenant ${tenant}: ${key.scopes.join(", ")}. Save the secret above; it is not shown again.`;
      process.stderr.write(`${paint("dim", about, process.stderr)}\n`);
    }
    return 0;
  },
});

/** Creates the key through the server. If none is named and none answers, it is created in the file. */
async function anywhere<T>(flags: RemoteFlags, use: (client: Client) => Promise<T>): Promise<T> {
  const config = loadConfigOrComplain({ listens: false, flags: { db: flags.db } });
  if (flags.db !== undefined) return withFile(config, { makeFile: true }, use);
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

/** The server knows the scopes, because its workloads bring some. */
function scopesOf(text: string): Key["scopes"] {
  const scopes = text.split(",").map((scope) => scope.trim());
  if (scopes.includes("")) throw new UsageError(`--scopes has an empty name: "${text}".`);
  return scopes as Key["scopes"];
}
