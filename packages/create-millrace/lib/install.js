import { spawn } from "node:child_process";

const ARGS = {
  npm: ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"],
  pnpm: ["install", "--prefer-offline"],
  bun: ["install"],
};

/**
 * Installs the packages of the project. False if that fails.
 * @param {{ path: string }} target
 * @param {string} packageManager
 */
export function install({ path }, packageManager) {
  process.stdout.write(`Installing packages with ${packageManager} …\n`);
  return new Promise((resolve) => {
    // On Windows package managers are .cmd files, which only a shell starts.
    const child = spawn(packageManager, ARGS[packageManager], {
      cwd: path,
      stdio: ["ignore", "inherit", "inherit"],
      shell: process.platform === "win32",
    });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}
