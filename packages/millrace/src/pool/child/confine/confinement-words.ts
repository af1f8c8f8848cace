import type { Confinement } from "./confine.ts";

/** The actions that a confined child process cannot do on this machine, and those it can. */
export interface ConfinementWords {
  /** Denied actions, each with the means that denies it. */
  readonly denied: readonly string[];
  /** Actions that stay possible. */
  readonly open: readonly string[];
}

type Words = { readonly denied?: string; readonly open?: string };

const WORDS: { readonly [Part in keyof Confinement]: Readonly<Record<Confinement[Part], Words>> } = {
  network: {
    namespace: { denied: "use a network (network namespace)" },
    globals: { open: "use a network by other means than JavaScript's functions, which are removed" },
  },
  writes: {
    mounts: { denied: "create, change or delete files (read-only mounts)" },
    permissions: { denied: "create, change or delete files (Node's permissions)" },
    limit: {
      denied: "make files grow (file size limit)",
      open: "overwrite mapped files, and create, truncate, rename, link and delete files",
    },
    allowed: { open: "create, change and delete files" },
  },
  programs: {
    permissions: { denied: "start programs (Node's permissions)" },
    inside: { open: "start programs, which get the same limits and end with it" },
    allowed: { open: "start programs" },
  },
  signals: {
    namespace: { denied: "signal other processes (PID namespace)" },
    allowed: { open: "signal other processes of the same user" },
  },
  sockets: {
    mounts: { denied: "connect to socket files that exist when it starts, or in /run, /tmp and /var/tmp (mounts)" },
    allowed: { open: "connect to socket files" },
  },
  store: {
    mounts: { denied: "read the store's files or .env (mounts)" },
    allowed: { open: "read the store's files and .env" },
  },
  processes: {
    namespace: { denied: "read the environment of other processes (user namespace)" },
    allowed: { open: "read the environment of other processes of the same user" },
  },
};

/** A confinement in words, for a report. */
export function describeConfinement(confinement: Confinement): ConfinementWords {
  const words = Object.entries(confinement).map(
    ([part, holder]) => (WORDS[part as keyof Confinement] as Record<string, Words>)[holder] ?? {},
  );
  return {
    denied: words.flatMap(({ denied }) => denied ?? []),
    open: [...words.flatMap(({ open }) => open ?? []), "read other files that the server's user may read"],
  };
}
