import { writeFileSync } from "node:fs";
import { extname } from "node:path";
import { defineCommand, UsageError } from "../../command.ts";
import { withClient } from "../../connect.ts";
import { REMOTE } from "../../flags.ts";

const FORMATS = [".html", ".json", ".csv", ".pdf"];

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    out: {
      type: "string",
      value: "<file>",
      doc: "its ending says what: .html, .json, .csv or .pdf; standard output otherwise",
    },
    ...REMOTE,
  },
  examples: ["sites report job_4fQ81xZa --out report.html", "sites report job_4fQ81xZa --json"],
  async run({ args: [id = ""], flags }) {
    const format = flags.out === undefined ? (flags.json ? ".json" : ".html") : extname(flags.out).toLowerCase();
    if (!FORMATS.includes(format)) throw new UsageError(`--out must end in one of ${FORMATS.join(", ")}.`);
    return withClient(flags, async ({ sites }) => {
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
