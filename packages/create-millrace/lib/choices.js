import { DATABASES } from "./options.js";
import { targetFolder } from "./target.js";

const DEFAULT_FOLDER = "millrace-app";

/**
 * Fills in what the command line leaves open: by a question if there is a terminal, else by the default.
 * @param {ReturnType<typeof import("./options.js").parseOptions>} options
 * @param {ReturnType<typeof import("./ask.js").openQuestions>} questions
 */
export async function complete(options, questions) {
  try {
    return {
      folder: options.folder ?? (await askFolder(questions)),
      db: options.db ?? (await askDatabase(questions)),
      packageManager: options.packageManager ?? detectPackageManager(process.env.npm_config_user_agent),
      install: options.install,
      millrace: options.millrace,
    };
  } finally {
    questions?.close();
  }
}

async function askFolder(questions) {
  if (!questions) return DEFAULT_FOLDER;
  return askUntil(questions, `Folder of the new project (${DEFAULT_FOLDER}): `, (answer) => {
    const folder = answer || DEFAULT_FOLDER;
    targetFolder(folder);
    return folder;
  });
}

async function askDatabase(questions) {
  const [first] = DATABASES;
  if (!questions) return first;
  return askUntil(questions, `Database: ${DATABASES.join(" or ")} (${first}): `, (answer) => {
    if (answer === "" || DATABASES.includes(answer)) return answer || first;
    throw new Error(`Type ${DATABASES.join(" or ")}.`);
  });
}

/** Asks again after an answer that cannot be used. */
async function askUntil(questions, question, read) {
  for (;;) {
    const answer = (await questions.ask(question)).trim();
    try {
      return read(answer);
    } catch (error) {
      process.stdout.write(`${error.message}\n`);
    }
  }
}

/**
 * Package managers name themselves in this variable, such as "pnpm/12.18.0 npm/? node/v24.15.0 linux x64".
 * @param {string | undefined} userAgent
 */
export function detectPackageManager(userAgent = "") {
  if (process.versions.bun || userAgent.startsWith("bun/")) return "bun";
  return userAgent.startsWith("pnpm/") ? "pnpm" : "npm";
}
