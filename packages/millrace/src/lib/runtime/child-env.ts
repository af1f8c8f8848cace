/** The environment for a child process: this process's own, passed on unread, and more. */
export function childEnv(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/** In an isolated processor: an environment variable that the worker process passed on. */
export function handedDown(name: string): string | undefined {
  return process.env[name];
}
