import { report } from "@shop/contracts";
import { work } from "millrace";

export const reportWork = work(report).stage("write", {
  run: async (ctx, { to }) => {
    ctx.log.info("report written", { to });
    return { lines: 1 };
  },
});
