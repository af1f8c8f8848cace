import { parseArgs } from "node:util";
import { Refusal } from "./refusal.js";

export const DATABASES = ["sqlite", "postgres"];
export const PACKAGE_MANAGERS = ["npm", "bun", "pnpm"];

export const HELP = `Creates a project with durable background jobs.

  npm create millrace [folder] [-- options]
  bun create millrace [folder] [options]
  pnpm create millrace [folder] [options]

  --db sqlite|postgres             where jobs are stored (default: sqlite)
  --package-manager npm|bun|pnpm   default: the one that runs this command
  --no-install                     write the files only
  --millrace <spec>                another version of Millrace, or the path of a tarball
  -y, --yes                        ask nothing, use the defaults
  -h, --help                       show this help
  -v, --version                    show the version

Without a terminal it asks nothing and uses the defaults.
`;

const OPTIONS = {
  db: { type: "string" },
  "package-manager": { type: "string" },
  "no-install": { type: "boolean" },
  millrace: { type: "string" },
  yes: { type: "boolean", short: "y" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
};

/** @param {readonly string[]} args */
export function parseOptions(args) {
  const { values, positionals } = parse(args);
  if (positionals.length > 1) {
    throw new Refusal(
      `Unexpected argument "${positionals[1]}". Give one folder; with npm, put "--" before options: npm create millrace my-app -- --db postgres`,
      2,
    );
  }
  return {
    folder: positionals[0],
    db: oneOf("--db", values.db, DATABASES),
    packageManager: oneOf("--package-manager", values["package-manager"], PACKAGE_MANAGERS),
    install: !values["no-install"],
    millrace: given("--millrace", values.millrace),
    yes: values.yes ?? false,
    help: values.help ?? false,
    version: values.version ?? false,
  };
}

function parse(args) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const unknown = error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" && /'(-[^']*)'/.exec(error.message)?.[1];
    const sentence = unknown ? `Unknown option "${unknown}".` : `${error.message.split(". ")[0].replace(/\.$/, "")}.`;
    throw new Refusal(`${sentence} Use --help to see all options.`, 2);
  }
}

function oneOf(name, value, allowed) {
  if (value === undefined || allowed.includes(value)) return value;
  throw new Refusal(`Invalid value "${value}" for ${name}. Allowed: ${allowed.join(", ")}.`, 2);
}

function given(name, value) {
  if (value === undefined || value.trim() !== "") return value;
  throw new Refusal(`${name} needs a version or a path.`, 2);
}
