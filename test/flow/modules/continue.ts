import type { Context } from "../../../packages/millrace/src/processor.ts";

type Payload = { turn: number; turns: number };

export default async function run(ctx: Context<Payload>, { turn, turns }: Payload): Promise<{ turns: number }> {
  await ctx.step("work", () => turn);
  if (turn < turns) return ctx.continueAsNew({ turn: turn + 1, turns });
  return { turns: turn };
}
