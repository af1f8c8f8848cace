import { defineCommand, manyLines, oneLine, paint, plural, REMOTE, show, WATCH, withClient } from "millrace/cli";
import type { SiteView } from "../api/site-shapes.ts";
import { sites } from "../client.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: { ...WATCH, ...REMOTE },
  examples: ["sites show job_4fQ81xZa", "sites show job_4fQ81xZa --watch"],
  async run({ args: [id = ""], flags }) {
    return withClient(flags, (client) => show(flags, () => client.with(sites).sites.get(id), page));
  },
});

function page(site: SiteView): string {
  const {
    jobId,
    url,
    status,
    waitsFor,
    brand,
    headline,
    error,
    pages,
    prompts,
    cells,
    spent,
    estimate,
    reportUrl,
    missing,
  } = site;
  const read = pages.filter(({ skipped }) => skipped === undefined);
  const answered = cells.filter(({ state }) => state === "answered").length;
  return [
    `${paint("bold", jobId)}  ${url}`,
    `${status}${waitsFor ? `, ${paint("yellow", `waits for ${waitsFor}`)}` : ""}${site.job.progress?.message ? `: ${oneLine(site.job.progress.message)}` : ""}`,
    ...(brand === undefined ? [] : [`Brand     ${oneLine(brand)}`]),
    `Pages     ${plural(read.length, "page")} read, ${pages.length - read.length} skipped`,
    ...(prompts
      ? [
          `Prompts   ${prompts.prompts.length}`,
          ...prompts.prompts.map(({ text, intent }) => `  ${intent.padEnd(11)}${oneLine(text)}`),
        ]
      : []),
    ...(estimate && estimate.calls > 0
      ? [
          `Answers   ${answered} of ${estimate.calls}; spent ${spent.calls} calls, ${spent.usd === null ? "cost unknown" : `$${spent.usd.toFixed(4)}`}`,
        ]
      : []),
    ...(missing ? [`Missing   ${missing} answers; millrace sites retry ${jobId}`] : []),
    ...(headline === undefined ? [] : ["", manyLines(headline)]),
    ...(error === undefined ? [] : ["", paint("red", manyLines(error))]),
    ...(reportUrl === undefined ? [] : ["", `Report    millrace sites report ${jobId} --out report.html`]),
  ].join("\n");
}
