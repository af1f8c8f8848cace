import { spawn } from "node:child_process";

const FORWARDED = ["SIGTERM", "SIGINT", "SIGHUP"];

/**
 * Become that program, or, where a Node is too old to be replaced, stand in front of it: pass on signals, end as it ends.
 * @param {string} file
 * @param {string[]} args
 */
export function handOver(file, args) {
  // Replaced, there is no process in between that could be killed alone and leave the server behind.
  if (process.execve && process.platform !== "win32") process.execve(file, [file, ...args], process.env);
  standInFront(file, args);
}

function standInFront(file, args) {
  const child = spawn(file, args, { stdio: "inherit" });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`millrace: could not start ${file}: ${error.message}\n`);
    process.exit(2);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    // Ended by a signal, this process ends by the same one, so that a supervisor sees the truth.
    for (const forwarded of FORWARDED) process.removeAllListeners(forwarded);
    process.kill(process.pid, signal);
  });
}
