import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf } from "../../lib/app-error.ts";
import { type FileReport, inspectFile } from "../../store/sqlite/connection/examine.ts";
import { bytes, relative } from "../output/format.ts";
import { batchFinding } from "./batches.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { workflowFindings } from "./workflow.ts";

const MIB = 1024 ** 2;
const ROOM_FAIL_BYTES = 64 * MIB;
const ROOM_WARN_BYTES = 1024 * MIB;
const WAL_WARN_BYTES = 256 * MIB;

/** Findings about the folder, the room on its disk, and the file itself. */
export function fileFindings(path: string, now: number, maxEventsPerTenant: number): Finding[] {
  const file = resolve(path);
  const folder = nearestFolder(dirname(file));
  return [
    folderFinding(dirname(file), folder),
    roomFinding(folder),
    diskFinding(folder),
    ...contents(file, now, maxEventsPerTenant),
  ];
}

function folderFinding(wanted: string, found: string): Finding {
  try {
    accessSync(found, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fail(
      "folder",
      `this user cannot write to ${found}`,
      "Let this user write to the folder, or set JOB_DB_PATH to another one.",
    );
  }
  if (wanted !== found) return ok("folder", `${wanted} will be created at the first start`);
  const open = process.platform !== "win32" && (statSync(found).mode & 0o002) !== 0;
  if (open) return warn("folder", `every user of this machine can write to ${found}`, `chmod o-w ${found}`);
  return ok("folder", found);
}

function roomFinding(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const room = bavail * bsize;
  const text = `${bytes(room)} free`;
  if (room < ROOM_FAIL_BYTES)
    return fail("disk space", text, "Free some disk space. On a full disk, submissions are refused with 507.");
  if (room < ROOM_WARN_BYTES)
    return warn("disk space", text, "Free some disk space soon, or lower JOB_RETENTION_MS and DLQ_RETENTION_MS.");
  return ok("disk space", text);
}

// Network file systems, by the numbers of statfs(2). WAL needs shared memory between processes, which these do not
// give.
const NETWORK_DISKS: Readonly<Record<number, string>> = {
  26985: "NFS",
  20859: "SMB",
  4283649346: "CIFS",
  4266872130: "SMB2",
  16914836: "9P",
};

function diskFinding(folder: string): Finding {
  const disk = process.platform === "linux" ? NETWORK_DISKS[statfsSync(folder).type] : undefined;
  if (disk === undefined) return ok("disk", "local");
  return warn(
    "disk",
    `the folder is on ${disk}`,
    "SQLite files must not be on a network disk. Use a local disk, or PostgreSQL.",
  );
}

function contents(file: string, now: number, maxEventsPerTenant: number): Finding[] {
  if (!existsSync(file)) return [ok("file", `${file} will be created at the first start`)];
  let report: FileReport;
  try {
    report = inspectFile(file, now);
  } catch (error) {
    return [
      fail(
        "file",
        `${file}: ${messageOf(error)}`,
        "Check that it is a file of Millrace. Restore a backup, or set JOB_DB_PATH.",
      ),
    ];
  }
  return [
    fileFinding(file, report),
    ...modeFinding(report),
    schemaFinding(report),
    ...newestFinding(report, now),
    ...batchFinding(report.unsealed),
    ...workflowFindings(report.workflow, maxEventsPerTenant),
  ];
}

function fileFinding(file: string, report: FileReport): Finding {
  const { damage, artifacts, databaseBytes, walBytes, journal, movedTo } = report;
  const text = `${file}, ${bytes(databaseBytes)}, WAL ${bytes(walBytes)}`;
  if (movedTo !== undefined)
    return fail("file", `${file} was moved to ${movedTo}`, "Unset JOB_DB_PATH and set DATABASE_URL to that address.");
  if (damage.length > 0) return fail("file", `${text}: ${damage.join("; ")}`, "Stop the server and restore a backup.");
  if (!artifacts)
    return warn("file", `${text}; its artifacts file is missing`, "Restore the artifacts file from the same backup.");
  if (journal !== "wal")
    return warn("file", `${text}, journal mode ${journal}`, "The next start of the server sets it to WAL.");
  if (walBytes > WAL_WARN_BYTES) {
    return warn(
      "file",
      text,
      "The WAL grows because another program keeps a read transaction open. Stop that program.",
    );
  }
  return ok("file", text);
}

function modeFinding({ readableByAll: open }: FileReport): Finding[] {
  if (open.length === 0) return [];
  const patterns = open.map((file) => `${file}*`).join(" ");
  return [warn("file mode", `every user of this machine can read ${open.join(" and ")}`, `chmod 600 ${patterns}`)];
}

function schemaFinding({ schema, knownSchema }: FileReport): Finding {
  const text = `schema ${schema}; this version has schema ${knownSchema}`;
  if (schema > knownSchema)
    return fail("schema", text, "Start the newer version of Millrace, or restore an older backup.");
  if (schema < knownSchema) return warn("schema", text, "The next start migrates it. Make a backup first.");
  return ok("schema", String(schema));
}

function newestFinding({ newestAt }: FileReport, now: number): Finding[] {
  if (newestAt === undefined || newestAt <= now + 2_000) return [];
  const text = `the newest job is from ${relative(new Date(newestAt).toISOString(), now)}`;
  return [warn("clock", text, "The clock was set back. Scheduled jobs wait until it has caught up.")];
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}
