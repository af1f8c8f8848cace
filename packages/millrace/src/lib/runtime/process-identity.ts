import { readFileSync, readlinkSync } from "node:fs";

/**
 * Where the operating system lists a process: boot, pid namespace, pid and its start. Two processes that read the same
 * boot and namespace can tell of each other whether they are dead. Undefined where the system does not tell.
 */
export function processIdentity(pid: number): string | undefined {
  const started = startOf(pid);
  const here = namespace();
  return here && started ? `${here} ${pid} ${started}` : undefined;
}

/** Whether the process is surely gone: same boot, same namespace, and no such process any more. */
export function isGone(identity: string): boolean {
  const [boot, pidNamespace, pid, started] = identity.split(" ");
  if (`${boot} ${pidNamespace}` !== namespace()) return false;
  return startOf(Number(pid)) !== started;
}

/** Whether the process is surely there. It may sleep, but it can go on. */
export function isListed(identity: string): boolean {
  const [boot, pidNamespace, pid, started] = identity.split(" ");
  return `${boot} ${pidNamespace}` === namespace() && startOf(Number(pid)) === started;
}

let cached: string | undefined;

function namespace(): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    cached ??= `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
    return cached;
  } catch {
    return undefined;
  }
}

/** Field 22 of /proc/<pid>/stat; a zombie counts as gone, since it will never run again. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
