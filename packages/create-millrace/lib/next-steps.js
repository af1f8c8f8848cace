import { relative } from "node:path";
import { wordsFor } from "./words.js";

/** What to type next, for the terminal. */
export function nextSteps({ path }, { db, packageManager, install }) {
  const words = wordsFor({ packageManager, db });
  const folder = relative(process.cwd(), path);
  const steps = [
    ...(folder === "" ? [] : [`cd ${/\s/.test(folder) ? JSON.stringify(folder) : folder}`]),
    ...(install ? [] : [words.install]),
    ...(db === "postgres" ? ["docker compose up -d db    # or set DATABASE_URL in .env"] : []),
    `${words.run} dev`,
  ];
  return `\nNext:\n\n${steps.map((step) => `  ${step}\n`).join("")}
Then open http://127.0.0.1:3000 and sign up: the job shows in the dashboard.
The dashboard takes any user name; its password is in .env.
`;
}

/** A sentence if the project cannot run on the Node that runs this command, else nothing. */
export function runtimeWarning({ packageManager }, versions = process.versions) {
  if (packageManager === "bun" || versions.bun || isSupported(versions.node)) return "";
  return `This is Node ${versions.node}. The project needs Node 22.22.3 or 24.15, or newer.\n`;
}

function isSupported(version) {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 3);
  return major > 24 || (major === 24 && minor >= 15);
}
