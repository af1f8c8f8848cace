// A confined child's namespaces, made by programs that Linux machines have. The child sees no network, no other process and a
// read-only file system, and has no right to change that.

import type { ChildView } from "./view.ts";

/** The paths of the programs. */
export type Programs = Readonly<Record<ProgramName, string>>;
export const PROGRAM_NAMES = ["unshare", "bwrap", "sh", "mount", "setsid", "setpriv", "prlimit"] as const;
type ProgramName = (typeof PROGRAM_NAMES)[number];

export interface Sandbox {
  readonly by: "unshare" | "bwrap";
  /** A /proc with its own processes alone. Containers often forbid it; the child then sees the machine's, read-only. */
  readonly ownProc: boolean;
}

/**
 * The child is this many generations below the program that is started: process 1 of its namespace, and then the child
 * as process 2.
 */
export const SANDBOX_DEPTH = 2;

export function sandboxed(sandbox: Sandbox, view: ChildView, programs: Programs, command: readonly string[]): string[] {
  const inner = [...withoutRights(programs), ...command];
  if (sandbox.by === "bwrap") return [programs.bwrap, ...bwrapFlags(view, sandbox), "--", ...inner];
  const { unshare, sh, mount } = programs;
  return [unshare, ...NAMESPACES, "--", sh, "-c", SCRIPT, "sh", mount, ...scriptArgs(view, sandbox), ...inner];
}

const NAMESPACES = ["--map-root-user", "--net", "--ipc", "--uts", "--mount", "--pid", "--fork", "--kill-child"];

/** Leads a process group, as a child does without a sandbox. No capabilities, no way to get any, and no file may grow. */
function withoutRights({ setsid, setpriv, prlimit }: Programs): string[] {
  const rights = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"];
  return [setsid, prlimit, "--fsize=0:0", "--core=0:0", setpriv, ...rights, "--"];
}

/**
 * The shell stays as process 1, which the kernel protects from its own signals: the child has to be able to end itself. `mount -a`
 * mounts a whole table, since a program for each mount would make a start ten times as long. Descriptors 3 and 4 are the child's
 * channel and lifeline. The shell's own standard error is closed at the end: it would report how the child ended.
 */
const SCRIPT = `
m="$1 -n -i -c"; table=$2; hiding=$3; shift 3
exec 5</dev/null 6</dev/zero 7</dev/random 8</dev/urandom || exit 111
$m -t tmpfs -o nosuid,noexec,mode=755,size=1m millrace /dev || exit 112
for name in null zero random urandom; do : >/dev/$name || exit 113; done
printf '%s' "$table" >/dev/table && $m -a -T /dev/table || exit 114
exec 5<&- 6<&- 7<&- 8<&-
[ -z "$hiding" ] || { printf '%s' "$hiding" >/dev/table && $m -a -T /dev/table >/dev/null 2>&1; }
: >/dev/table
n=$1; shift
while [ $n -gt 0 ]; do
  [ -c "$1" ] || [ ! -e "$1" ] || exit 115
  shift; n=$((n - 1))
done
n=$1; shift
while [ $n -gt 0 ]; do
  $m -o "remount,bind,ro,$1" "$2" || exit 116
  shift 2; n=$((n - 1))
done
exec 9>&2 2>/dev/null
"$@" 2>&9 9>&-
exit $?
`;

function scriptArgs({ emptied, kept, hidden, mounts }: ChildView, { ownProc }: Sandbox): string[] {
  const hasKept = (folder: string) => kept.some((path) => path.startsWith(`${folder}/`));
  const table = [
    ...["null", "zero", "random", "urandom"].map((name, i) => [
      `/proc/self/fd/${i + 5}`,
      `/dev/${name}`,
      "none",
      "bind",
    ]),
    ...kept.map((path, i) => [path, `/dev/kept${i}`, "none", "bind,ro,nosuid,nodev,X-mount.mkdir"]),
    ...[...emptied, "/sys"].map((path) => ["millrace", path, "tmpfs", `${hasKept(path) ? "rw" : "ro"},${BARREN}`]),
    ...kept.map((path, i) => [`/dev/kept${i}`, path, "none", "bind,ro,nosuid,nodev,X-mount.mkdir"]),
    ...(ownProc ? [["millrace", "/proc", "proc", "ro,nosuid,nodev,noexec"]] : []),
  ];
  const readOnly = [
    ...mounts.map(({ at, flags }) => [["nosuid", "nodev", ...flags].join(","), at]),
    ...emptied.filter(hasKept).map((path) => ["nosuid,nodev,noexec", path]),
    ...(ownProc ? [] : [["nosuid,nodev,noexec", "/proc"]]),
    ["nosuid,noexec", "/dev"],
  ];
  const hiding = hidden.map((path) => ["/dev/null", path, "none", "bind"]);
  const lists = [String(hidden.length), ...hidden, String(readOnly.length), ...readOnly.flat()];
  return [tableText(table), tableText(hiding), ...lists];
}

const BARREN = "nosuid,nodev,noexec,size=64k,mode=755";

/** In the form of /etc/fstab. */
function tableText(lines: readonly (readonly string[])[]): string {
  return lines.map((fields) => `${fields.map(escaped).join(" ")}\n`).join("");
}

function escaped(field: string): string {
  return field.replace(/[\s\\#]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

function bwrapFlags({ emptied, kept, hidden }: ChildView, { ownProc }: Sandbox): string[] {
  const spaces = ["--unshare-user", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-pid"];
  return [
    ...[...spaces, "--die-with-parent", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", ...(ownProc ? ["--proc", "/proc"] : [])],
    ...[...emptied, "/sys"].flatMap((path) => ["--tmpfs", path]),
    ...kept.flatMap((path) => ["--ro-bind", path, path]),
    ...hidden.flatMap((path) => ["--ro-bind-try", "/dev/null", path]),
    ...[...emptied, "/sys", "/dev"].flatMap((path) => ["--remount-ro", path]),
  ];
}
