import { writeFileSync } from "node:fs";
import { extname } from "node:path";
import { defineCommand, REMOTE, UsageError, withClient } from "millrace/cli";
import { sites as siteCalls } from "../client.ts";

const FORMATS = [".html", ".json", ".csv", ".pdf"];

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    out: {
      type: "string",
      value: "<file>",
      doc: "output file: .html, .json, .csv or .pdf (default: HTML on standard output)",
    },
    ...REMOTE,
  },
  examples: ["sites report job_4fQ81xZa --out report.html", "sites report job_4fQ81xZa --json"],
  async run({ args: [id = ""], flags }) {
    const format = flags.out === undefined ? (flags.json ? ".json" : ".html") : extname(flags.out).toLowerCase();
    if (!FORMATS.includes(format)) throw new UsageError(`--out must end in one of ${FORMATS.join(", ")}.`);
    return withClient(flags, async (client) => {
      const { sites } = client.with(siteCalls);
      const content =
        format === ".pdf"
          ? await sites.reportPdf(id)
          : format === ".csv"
            ? await sites.reportCsv(id)
            : format === ".json"
              ? `${JSON.stringify(await sites.report(id), null, 2)}\n`
              : await sites.reportHtml(id);
      if (flags.out === undefined) process.stdout.write(content);
      else writeFileSync(flags.out, content);
      return 0;
    });
  },
});
