// runtimes: bun or node

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { agentWith, type Model, scriptedModel } from "../../../examples/agent/agent.ts";
import { Testkit } from "../../../packages/millrace/src/testing.ts";
import { RUNTIME, root, run, temporaryFolder } from "../../support/program.ts";

async function answerOf(kit: Testkit, jobId: string): Promise<string> {
  let text = "";
  for await (const event of kit.millrace.stream(jobId, "answer")) {
    if (event.type === "chunk") text += event.value;
  }
  return text;
}

test("the agent of the examples uses its tool, pays for each turn once over a crash, and streams its answer", async () => {
  let turns = 0;
  let hasFailed = false;
  const flaky: Model = async (messages, write) => {
    const isSecond = messages.length > 1;
    if (isSecond && !hasFailed) {
      hasFailed = true;
      await write("The answer is for");
      throw new Error("The provider went away.");
    }
    turns++;
    return scriptedModel(messages, write);
  };
  const agent = agentWith(flaky);
  const kit = await Testkit.open({ kinds: [agent] });
  try {
    const job = await kit.millrace.submit(agent, { question: "What is 6 times 7?", budgetCents: 100 });
    assert.deepEqual(await kit.finish(job), { answer: "The answer is 42.", turns: 2, spentCents: 4 });
    assert.equal(turns, 2, "the first turn was not asked for again");
    assert.equal(await answerOf(kit, job.id), "I will multiply. The answer is 42.");
  } finally {
    await kit.stop();
  }
});

test("it asks a person when its budget is spent", async () => {
  const agent = agentWith(scriptedModel);
  const kit = await Testkit.open({ kinds: [agent] });
  try {
    const job = await kit.millrace.submit(agent, { question: "What is 2 times 3?", budgetCents: 1 });
    await kit.decide(job, "budget 1", { choice: "no", by: "ada" });
    assert.deepEqual(await kit.finish(job), { answer: null, turns: 1, spentCents: 2 });
  } finally {
    await kit.stop();
  }
});

test("it runs as a program", async (t) => {
  const flags = process.versions["bun"] ? ["--no-env-file", "--no-install"] : [];
  const program = run(t, [...RUNTIME, ...flags, join(root, "examples/agent/agent.ts"), "What is 6 times 7?"], {
    cwd: temporaryFolder(t),
  });
  const { code } = await program.ended();
  assert.equal(code, 0, program.stderr());
  assert.match(program.stdout(), /I will multiply\. The answer is 42\.\n\{"answer":"The answer is 42\."/);
});
