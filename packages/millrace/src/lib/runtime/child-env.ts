/** The environment for a child process: this process's own, passed on unread, and more. */
export function childEnv(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/** An environment variable that the worker process passed on to an isolated processor. */
export function handedDown(name: string): string | undefined {
  return process.env[name];
}
