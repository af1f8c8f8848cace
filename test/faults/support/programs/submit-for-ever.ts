import type { Kind } from "../../../../packages/millrace/src/job/kind/kind.ts";
import { AppError } from "../../../../packages/millrace/src/lib/app-error.ts";
import type { Millrace } from "../../../../packages/millrace/src/millrace.ts";
import { type History, readHistories } from "../history.ts";
import type { Errand, KindName } from "../kinds.ts";
import type { Plan } from "../program.ts";

/**
 * Submits until told to stop, each lane after the answer to the one before. First it asks again, with the same
 * idempotency key, for what its earlier runs never heard an answer to: that must not make a second job.
 */
export function submitForEver(
  millrace: Millrace,
  history: History,
  kinds: Record<KindName, Kind<Errand, unknown>>,
  plan: Plan,
): { stop(): Promise<void> } {
  const { kinds: names, pauseMs, lanes, again } = plan.submits as NonNullable<Plan["submits"]>;
  let stopped = false;
  let number = 0;

  async function submitOne(key: string): Promise<void> {
    history.append({ type: "submit-called", key });
    try {
      const job = await millrace.submit(kinds[key.split(" ")[1] as KindName], errandOf(key), { idempotencyKey: key });
      history.append({ type: "submit-acknowledged", key, jobId: job.id });
    } catch (error) {
      history.append({ type: "submit-refused", key, code: error instanceof AppError ? error.code : "unknown" });
    }
  }

  async function lane(unanswered: string[]): Promise<void> {
    for (const key of unanswered) await submitOne(key);
    while (!stopped) {
      await submitOne(`${plan.by}.${number++} ${names[number % names.length]}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  const unanswered = again === undefined ? [] : unansweredBy(plan.folder, again, plan.by);
  const all = Promise.all(Array.from({ length: lanes }, (_, i) => lane(unanswered.filter((_, n) => n % lanes === i))));
  return {
    async stop() {
      stopped = true;
      await all;
    },
  };
}

/** From the key alone, so that asking again is asking the same. */
function errandOf(key: string): Errand {
  const mark = [...key].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1_009, 7);
  return {
    key,
    steps: mark % 3,
    ...(mark % 7 === 0 && { waitMs: 20 }),
    ...(mark % 11 === 0 && { filler: "x".repeat(3_000) }),
  };
}

function unansweredBy(folder: string, name: string, except: string): string[] {
  const open = new Set<string>();
  for (const event of readHistories(folder, (by) => by.startsWith(`${name}-`) && by !== except)) {
    if (event.type === "submit-called") open.add(event.key);
    else if (event.type === "submit-acknowledged") open.delete(event.key);
  }
  return [...open];
}
