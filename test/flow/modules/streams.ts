import type { Context } from "../../../packages/millrace/src/processor.ts";

/** Writes outside of steps and in one, waits, and goes on. */
export default async function streams(ctx: Context, { fail }: { fail: boolean }): Promise<string> {
  const out = ctx.stream("answer");
  await out.write(`attempt ${ctx.attempt}`);
  await ctx.step("turn", async () => {
    for (const word of ["o", "ne"]) await out.write(word);
    return 1;
  });
  if (fail && ctx.attempt === 1) throw new Error("The first attempt fails.");
  await ctx.sleep("nap", 1);
  await out.write("after the nap");
  return "done";
}
