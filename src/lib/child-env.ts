/** The environment for a child process: this process's own, passed on unread, and more. */
export function childEnv(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/** In a child: what its parent handed down by `childEnv` under this name. */
export function handedDown(name: string): string | undefined {
  return process.env[name];
}
