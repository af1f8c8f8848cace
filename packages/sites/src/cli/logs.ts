import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { defineCommand, oneLine, tell, UsageError } from "millrace/cli";
import { BotRanges, verifierOf } from "../logs/ranges.ts";
import { type LogReport, LogTally } from "../logs/tally.ts";

export const command = defineCommand({
  args: ["<access.log>"],
  flags: {
    ranges: {
      type: "string",
      value: "<file>",
      doc: 'published address ranges as JSON: {"GPTBot": ["20.42.10.176/28"]} (default: bots are named by their agent line, unverified)',
    },
    json: { type: "boolean", doc: "print JSON" },
  },
  examples: ["sites logs access.log --ranges bots.json", "zcat access.log.*.gz | millrace sites logs -"],
  async run({ args: [file = "-"], flags }) {
    const tally = new LogTally(verifierOf(await rangesIn(flags.ranges)));
    try {
      for await (const line of createInterface({ input: inputOf(file), crlfDelay: Number.POSITIVE_INFINITY }))
        tally.add(line);
    } catch (error) {
      throw new UsageError(`${file} could not be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    const report = tally.report();
    return tell(flags, report, drawn(report, flags.ranges !== undefined));
  },
});

function inputOf(file: string): NodeJS.ReadableStream {
  if (file === "-") return process.stdin;
  const bytes = createReadStream(file);
  if (!file.endsWith(".gz")) return bytes;
  const unpacked = createGunzip();
  bytes.on("error", (error) => unpacked.destroy(error));
  return bytes.pipe(unpacked);
}

async function rangesIn(file: string | undefined): Promise<Record<string, string[]>> {
  if (file === undefined) return {};
  try {
    const ranges = BotRanges.parse(JSON.parse(await readFile(file, "utf8")));
    verifierOf(ranges);
    return ranges;
  } catch (error) {
    const why = error instanceof Error ? oneLine(error.message) : String(error);
    throw new UsageError(`--ranges ${file}: ${why} It must be JSON such as {"GPTBot": ["20.42.10.176/28"]}.`);
  }
}

const PURPOSES = {
  user: "Fetched for a user's question",
  search: "Read for an AI search",
  training: "Read for training",
} as const;

function drawn({ lines, unreadable, bots, requestsByPurpose }: LogReport, isVerifying: boolean): string {
  const known = bots.filter(({ requests, forged }) => requests + forged > 0);
  return [
    `${lines} lines${unreadable > 0 ? `, ${unreadable} in no known format` : ""}`,
    ...(known.length === 0 ? ["No known bot read the site."] : []),
    ...(["user", "search", "training"] as const).flatMap((purpose) => {
      const own = known.filter((each) => each.purpose === purpose);
      if (own.length === 0) return [];
      return ["", `${PURPOSES[purpose]}: ${requestsByPurpose[purpose]} requests`, ...own.flatMap(drawnBot)];
    }),
    ...(isVerifying || known.length === 0
      ? []
      : ["", "Bots are named by their agent line, which anyone can send. --ranges verifies them."]),
  ].join("\n");
}

function drawnBot({
  bot,
  requests,
  refused,
  failed,
  verified,
  unverified,
  forged,
  pages,
  firstDay,
  lastDay,
}: LogReport["bots"][number]) {
  const parts = [
    `${requests} requests`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(verified > 0 ? [`${verified} verified`] : []),
    ...(unverified > 0 ? ["unverified"] : []),
    ...(forged > 0 ? [`${forged} more from foreign addresses`] : []),
    ...(firstDay === "" ? [] : [firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`]),
  ];
  return [
    `  ${bot}: ${parts.join(", ")}`,
    ...pages.slice(0, 3).map(({ path, requests: count }) => `    ${count}  ${oneLine(path)}`),
  ];
}
