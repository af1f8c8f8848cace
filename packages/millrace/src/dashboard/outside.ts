// What `millrace/dashboard` is to a program that is not a page of the dashboard. The dashboard gives pages the module itself;
// its types are those of dashboard/sdk.ts.

import { AppError } from "../lib/app-error.ts";

throw new AppError("dashboard-only", "millrace/dashboard can be imported only by pages of the dashboard.", {
  hint: "Keep it outside of the bundle: --external:millrace/dashboard. See docs/guides/workloads.md.",
});
