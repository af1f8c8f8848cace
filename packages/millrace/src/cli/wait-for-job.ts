import type { Client, Job } from "../client/index.ts";
import { EXIT } from "./arguments/exit.ts";
import { oneLine } from "./output/format.ts";
import { progressLine } from "./output/job.ts";
import { paint } from "./output/paint.ts";
import { endStatus, say, status } from "./output/show.ts";

const FOR_EVER_MS = 2_147_483_647;

/** Waits for a job, showing its progress on a terminal, and returns the exit code. */
export async function waitForJob(
  client: Client,
  jobId: string,
  { json, timeoutMs = FOR_EVER_MS }: { readonly json?: boolean | undefined; readonly timeoutMs?: number | undefined },
): Promise<number> {
  const onProgress = process.stderr.isTTY && !json ? { onProgress: (job: Job) => status(progressLine(job)) } : {};
  const interrupted = () => leave(jobId);
  process.once("SIGINT", interrupted);
  const job = await client.wait(jobId, { timeoutMs, ...onProgress }).finally(() => {
    process.off("SIGINT", interrupted);
    endStatus();
  });
  if (json) say(JSON.stringify(job, null, 2));
  else if (job.state === "completed") say(JSON.stringify(job.result ?? null, null, 2));
  else complainOf(job);
  return job.state === "completed" ? EXIT.ok : EXIT.jobFailed;
}

/** Ctrl-C ends the waiting, not the job. The id is printed, so that the job can be found again. */
function leave(jobId: string): never {
  endStatus();
  process.stderr.write(`millrace: ${jobId} continues. Wait for it again: millrace jobs wait ${jobId}\n`);
  process.exit(EXIT.interrupted);
}

function complainOf({ jobId, state, error, lastError }: Job): void {
  const why = oneLine(error ?? lastError ?? "no reason given");
  const verb = state === "cancelled" ? "was cancelled" : "failed";
  process.stderr.write(`millrace: ${jobId} ${paint("red", verb, process.stderr)}: ${why}\n`);
  if (state === "failed")
    process.stderr.write(`  Details: millrace jobs show ${jobId}. Run it again: millrace jobs retry ${jobId}\n`);
}
