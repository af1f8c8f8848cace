// What `millrace/dashboard` is to a program that is not a page of the dashboard. The dashboard gives pages the module itself;
// its types are those of dashboard/sdk.ts.

import { AppError } from "../lib/app-error.ts";

throw new AppError("dashboard-only", "Only pages of the dashboard can import millrace/dashboard.", {
  hint: "Keep it out of the bundle: --external:millrace/dashboard. See docs/guides/workloads.md.",
});
