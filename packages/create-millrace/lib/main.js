import { openQuestions } from "./ask.js";
import { complete } from "./choices.js";
import { install } from "./install.js";
import { nextSteps, runtimeWarning } from "./next-steps.js";
import { HELP, parseOptions } from "./options.js";
import { Refusal } from "./refusal.js";
import { targetFolder } from "./target.js";
import { VERSION } from "./version.js";
import { writeProject } from "./write.js";

/**
 * Creates a project and returns the exit code.
 * @param {readonly string[]} args
 */
export async function main(args) {
  try {
    return await create(parseOptions(args));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`create-millrace: ${error.message}\n`);
    return error.exitCode;
  }
}

async function create(options) {
  if (options.help) return print(HELP);
  if (options.version) return print(`${VERSION}\n`);
  const choices = await complete(options, openQuestions(options));
  const target = targetFolder(choices.folder);
  writeProject(target, choices);
  print(`Created ${target.name} in ${target.path}\n`);
  if (choices.install && !(await install(target, choices.packageManager))) {
    throw new Refusal(
      `The files are written, but "${choices.packageManager} install" failed. Run it in ${target.path}.`,
    );
  }
  process.stderr.write(runtimeWarning(choices));
  return print(nextSteps(target, choices));
}

function print(text) {
  process.stdout.write(text);
  return 0;
}
