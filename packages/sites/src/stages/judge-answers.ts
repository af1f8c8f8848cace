import { createHash } from "node:crypto";
import type { Context } from "millrace";
import { z } from "zod";
import { factsOf, JudgeReply, judgementOf, judgeRequest } from "../analysis/verdict/judgement.ts";
import type { Answer, SiteProfile } from "../api/shapes.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { addBills, type Bill, estimateTokens } from "../models/budget.ts";
import { modelClient } from "../models/client.ts";
import { type ModelOptions, optionsOf } from "../models/model-options.ts";
import { accountFor, billFor, type CallFunds } from "../models/paid-call.ts";
import type { SitePayload } from "../payload.ts";
import { isGood } from "../report/tally.ts";
import { CallRun } from "./call-run.ts";

/** Raised by hand when what a judge is sent changes. */
const JUDGE_CONTRACT = 1;

export interface JudgeTask {
  readonly ref: string;
  readonly answers: readonly Answer[];
  readonly profile: SiteProfile;
  readonly funds: CallFunds;
  readonly modelOptions: Readonly<Record<string, ModelOptions>> | undefined;
  readonly sending: boolean;
}

export interface JudgedAnswers {
  readonly answers: Answer[];
  readonly bill: Bill;
  readonly perhapsBilled: number;
  readonly notes: string[];
}

/** One call for each answer that came, paid once and from the run's budget. Without a usable reply, the rules stand. */
export async function judgeAnswers(
  ctx: Context<SitePayload>,
  { ref, answers, profile, funds, modelOptions, sending }: JudgeTask,
  { settings, models }: SiteDependencies,
): Promise<JudgedAnswers> {
  const client = models ?? modelClient(settings.providers);
  const facts = factsOf(profile);
  const { maxOutputTokens, reasoningEffort } = optionsOf(ref, modelOptions);
  const options = { maxOutputTokens, reasoningEffort, timeoutMs: settings.modelTimeoutMs, signal: ctx.signal };
  const schema = z.toJSONSchema(JudgeReply);
  const calls = answers
    .filter((answer) => isGood(answer) && answer.judged === undefined)
    .map((answer) => {
      const request = judgeRequest(answer, { brand: profile.brand, facts });
      const usage = { inputTokens: estimateTokens(request), outputTokens: maxOutputTokens };
      return {
        key: judgeKey(answer.callKey, request, ref),
        ref,
        answer,
        estimate: { usage, usd: funds.priceOf(ref, usage) },
        send: () => client.askJson(ref, request, schema, options),
      };
    });
  const keys = calls.map(({ key }) => key);
  await accountFor(keys, funds);
  const run = new CallRun(calls, funds, { settings, noun: "judgements" });
  await run.go({ sending });
  if (sending) run.yieldIfNotDone(calls.length, 0);
  const judged = new Map(
    calls.flatMap(({ key, answer }) => {
      const outcome = run.outcomes.get(key);
      const judgement = outcome?.state === "answered" ? judgementOf(outcome.reply.text, answer, ref, facts) : undefined;
      return judgement === undefined ? [] : [[answer.callKey, judgement] as const];
    }),
  );
  const bills = await Promise.all(keys.map((key) => billFor(key, ctx)));
  const missing = calls.length - judged.size;
  return {
    answers: answers.map((answer) => {
      const judgement = judged.get(answer.callKey);
      return judgement === undefined ? answer : { ...answer, judged: judgement };
    }),
    bill: bills.reduce(addBills, { calls: 0, usage: { inputTokens: 0, outputTokens: 0 }, usd: 0, perhapsTwice: 0 }),
    perhapsBilled: run.perhapsBilled,
    notes:
      missing > 0
        ? [`The judge ${ref} gave no usable judgement on ${missing} of ${calls.length} answers. Rules judged these.`]
        : [],
  };
}

function judgeKey(callKey: string, request: string, ref: string): string {
  const text = JSON.stringify(["judge", JUDGE_CONTRACT, callKey, request, ref]);
  return createHash("sha256").update(text).digest("hex").slice(0, 20);
}
