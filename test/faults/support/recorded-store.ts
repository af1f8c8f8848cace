import type { Lease } from "../../../packages/millrace/src/job/lease.ts";
import type { Outcome } from "../../../packages/millrace/src/job/lifecycle.ts";
import { AppError, messageOf } from "../../../packages/millrace/src/lib/app-error.ts";
import type { Store, StoreFactory } from "../../../packages/millrace/src/store/store.ts";
import type { ClaimRequest, StepExtras } from "../../../packages/millrace/src/store/verbs/attempts.ts";
import type { FollowUps } from "../../../packages/millrace/src/store/verbs/follow-ups.ts";
import type { History } from "./history.ts";

/** Its jobs are too many to write down; what they return is null, as nothing else's here. */
const FLOOD = "flood";

/** The store, writing down what it answers: the claims, and every write that a lease carries, accepted or refused. */
export function recorded(factory: StoreFactory, history: History, options: RecordedOptions = {}): StoreFactory {
  return (storeOptions) => {
    const store = factory(storeOptions);
    const watched = watchedVerbs(store, history, options);
    return new Proxy(store, {
      get(target, property) {
        const own = watched[property as keyof Store];
        if (own) return own;
        const value = Reflect.get(target, property) as unknown;
        return typeof value === "function" ? telling(history, String(property), value.bind(target)) : value;
      },
    });
  };
}

interface RecordedOptions {
  /** The process stops itself right before it runs this step: 1 is the first. */
  sleepsBeforeStep?: number;
}

function watchedVerbs(store: Store, history: History, { sleepsBeforeStep = 0 }: RecordedOptions): Partial<Store> {
  let stepsLeft = sleepsBeforeStep;
  // An answer about the lease is what a step begins with: that of a question, or that of the step before.
  const sleepBeforeStep = () => {
    if (--stepsLeft === 0) process.kill(process.pid, "SIGSTOP");
  };
  const lost = (verb: string, { jobId, token }: Lease) => history.append({ type: "lease-lost", jobId, token, verb });
  return {
    claim: telling(history, "claim", async (request: ClaimRequest) => {
      const claimed = await store.claim(request);
      if (request.kind === FLOOD) return claimed;
      for (const { lease } of claimed.jobs) {
        history.append({ type: "claimed", jobId: lease.jobId, token: lease.token, stage: request.stage });
      }
      return claimed;
    }),
    settle: telling(history, "settle", async (lease: Lease, outcome: Outcome, followUps?: FollowUps) => {
      const { jobId, token } = lease;
      if (outcome.type === "completed" && outcome.result === "null") return store.settle(lease, outcome, followUps);
      history.append({ type: "settle-called", jobId, token, outcome: outcome.type });
      const settled = await store.settle(lease, outcome, followUps);
      if (settled.written === "refused") return settled;
      if (settled.written === "lease-lost") lost("settle", lease);
      else history.append({ type: "settled", jobId, token, outcome: outcome.type, standing: settled.standing });
      return settled;
    }),
    saveStep: telling(history, "saveStep", async (lease: Lease, step: string, value: string, more?: StepExtras) => {
      const written = await store.saveStep(lease, step, value, more);
      if (written === "lease-lost") lost("saveStep", lease);
      else {
        history.append({ type: "step-saved", jobId: lease.jobId, token: lease.token, step });
        sleepBeforeStep();
      }
      return written;
    }),
    confirm: telling(history, "confirm", async (lease: Lease) => {
      const confirmed = await store.confirm(lease);
      if (confirmed === "lease-lost") lost("confirm", lease);
      else sleepBeforeStep();
      return confirmed;
    }),
    note: telling(history, "note", async (lease, note) => {
      const written = await store.note(lease, note);
      if (written === "lease-lost") lost("note", lease);
      return written;
    }),
    storedSteps: telling(history, "storedSteps", async (lease: Lease) => {
      const steps = await store.storedSteps(lease);
      if (steps === "lease-lost") lost("storedSteps", lease);
      return steps;
    }),
    keepArtifact: telling(history, "keepArtifact", async (lease, artifact) => {
      const written = await store.keepArtifact(lease, artifact);
      if (written === "lease-lost") lost("keepArtifact", lease);
      return written;
    }),
  };
}

/** Whatever the store throws is written down before the engine hears it. */
function telling<A extends unknown[], R>(history: History, verb: string, call: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    const answer = call(...args);
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        const code = error instanceof AppError ? error.code : "unknown";
        history.append({ type: "store-error", verb, code, message: messageOf(error) });
      });
    }
    return answer;
  };
}
