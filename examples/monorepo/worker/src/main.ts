import { report } from "@shop/contracts";
import { Millrace, postgres } from "millrace";
import { orderWork } from "./order.ts";
import { reportWork } from "./report.ts";

const url = process.env["DATABASE_URL"];
if (!url) throw new Error("DATABASE_URL is not set.");

const millrace = await Millrace.open({
  store: postgres(url),
  kinds: [orderWork, reportWork],
  deployment: process.env["DEPLOYMENT"] ?? "dev",
});
await millrace.schedules.put(report, { name: "daily-report", cron: "0 6 * * *", payload: { to: "team@example.com" } });
console.log("The worker is ready.");

process.once("SIGTERM", () => millrace.stop());
