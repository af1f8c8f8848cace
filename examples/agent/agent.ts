// An agent as a durable job: it asks a model, calls tools, keeps to a budget, and streams its answer while it writes it.
//
//   node agent.ts "What is 6 times 7?"
//
// Every turn of the model and every tool call is a step. After a crash the agent goes on with the turn that was under way: turns that
// are stored are not paid for twice, and readers of the stream keep what those turns wrote.

import { pathToFileURL } from "node:url";
import { type Context, defineKind, Millrace, sqlite } from "millrace";
import { z } from "zod";

/** What the model wants next: a tool call, or nothing more. `costCents` is what the turn cost. */
export interface Turn {
  text: string;
  tool?: { name: string; input: string };
  costCents: number;
}

/** Replace it by a call of your provider: pass the messages, hand each token to `write`, return the turn. */
export type Model = (messages: readonly string[], write: (token: string) => Promise<void>) => Promise<Turn>;

const tools: Record<string, (input: string) => Promise<string>> = {
  multiply: async (input) => {
    const [a, b] = input.split("*").map(Number);
    return String((a ?? 0) * (b ?? 0));
  },
};

const MOST_TURNS = 20;

export function agentWith(model: Model) {
  return defineKind({
    name: "agent",
    payload: z.object({ question: z.string(), budgetCents: z.number().positive() }),
    run: async (ctx, { question, budgetCents }) => {
      const messages = [question];
      let spentCents = 0;
      for (let n = 1; n <= MOST_TURNS; n++) {
        const turn = await ask(ctx, model, messages, n);
        messages.push(turn.text);
        spentCents += turn.costCents;
        ctx.progress(Math.min(1, spentCents / budgetCents), `${spentCents} of ${budgetCents} cents`);
        const { tool } = turn;
        if (!tool) return { answer: turn.text, turns: n, spentCents };
        const result = await ctx.step(`tool ${n}`, () => callTool(tool));
        messages.push(`${tool.name}: ${result}`);
        if (spentCents < budgetCents) continue;
        const more = await ctx.waitForApproval(`budget ${n}`, {
          title: `The agent has spent ${spentCents} cents. Let it go on?`,
          choices: ["yes", "no"],
          timeout: { days: 1 },
        });
        if (more?.choice !== "yes") return { answer: null, turns: n, spentCents };
      }
      return { answer: null, turns: MOST_TURNS, spentCents };
    },
  });
}

/** One turn is one step. What it streams is kept or taken back with it. */
function ask(ctx: Context, model: Model, messages: readonly string[], n: number): Promise<Turn> {
  const out = ctx.stream("answer");
  return ctx.step(`turn ${n}`, () => model(messages, (token) => out.write(token)));
}

async function callTool({ name, input }: { name: string; input: string }): Promise<string> {
  const tool = tools[name];
  return tool ? tool(input) : `There is no tool "${name}".`;
}

/** Stands in for a provider, so that the example runs without a key. */
export const scriptedModel: Model = async (messages, write) => {
  const last = messages.at(-1) ?? "";
  const [, product] = /^multiply: (\d+)$/.exec(last) ?? [];
  const text = product === undefined ? "I will multiply. " : `The answer is ${product}.`;
  for (const token of text.match(/\S+\s*/g) ?? []) await write(token);
  const [, a, b] = /(\d+) times (\d+)/.exec(messages[0] ?? "") ?? [];
  const wantsTool = product === undefined && a !== undefined && b !== undefined;
  return { text, costCents: 2, ...(wantsTool && { tool: { name: "multiply", input: `${a}*${b}` } }) };
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const agent = agentWith(scriptedModel);
  const millrace = await Millrace.open({ store: sqlite("./data/agent.db"), kinds: [agent], log: false });
  const question = process.argv[2] ?? "What is 6 times 7?";
  const job = await millrace.submit(agent, { question, budgetCents: 100 });
  for await (const event of millrace.stream(job.id, "answer")) {
    if (event.type === "chunk") process.stdout.write(String(event.value));
    else if (event.type === "restart") process.stdout.write("\n(again) ");
  }
  console.log(`\n${JSON.stringify(await job.wait())}`);
  await millrace.stop();
}
