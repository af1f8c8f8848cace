import { OWN } from "../analysis/watched.ts";
import type { Report } from "../api/report.ts";

const HEAD = [
  "prompt id",
  "prompt",
  "intent",
  "branded",
  "mode",
  "model",
  "answered as",
  "sample",
  "status",
  "names you",
  "position",
  "brands named",
  "own pages cited",
  "verdict",
  "passage",
  "passage url",
  "answer",
  "input tokens",
  "output tokens",
  "cost usd",
  "ms",
  "says about you",
  "named as",
  "citations",
];

/** One row per answer, or per prompt where no model was asked. RFC 4180, with a mark so that Excel reads it as UTF-8. */
export function reportCsv(report: Report): string {
  const rows = report.mode === "model" ? answerRows(report) : coverageRows(report);
  return `\uFEFF${[HEAD, ...rows].map((row) => row.map(field).join(",")).join("\r\n")}\r\n`;
}

type Value = string | number | boolean | null | undefined;

function answerRows({ answers, prompts, findings, coverage }: Report): Value[][] {
  const found = new Map(findings.map((finding) => [finding.callKey, finding]));
  return answers.map((answer) => {
    const prompt = prompts.prompts.find(({ id }) => id === answer.promptId);
    const finding = found.get(answer.callKey);
    const own = finding?.brands.find(({ id }) => id === OWN);
    const named = finding?.brands.filter(({ id, mentioned }) => mentioned && id !== OWN).map(({ id }) => id) ?? [];
    const cover = coverage.find(({ promptId }) => promptId === answer.promptId);
    return [
      ...[
        answer.promptId,
        prompt?.text,
        prompt?.intent,
        prompt?.branded,
        answer.mode,
        answer.model.ref,
        answer.model.reported,
      ],
      ...[answer.sample, answer.status, own?.mentioned, own?.position, named.join("; ")],
      ...[
        finding?.citations.filter((each) => each.class === "own").length,
        cover?.verdict,
        cover?.passage?.quote,
        cover?.passage?.url,
      ],
      ...[answer.text, answer.usage?.inputTokens, answer.usage?.outputTokens, answer.costUsd, answer.ms],
      ...[answer.verdict, own?.kind, finding?.citations.map(({ url }) => url).join(" ")],
    ];
  });
}

function coverageRows({ prompts, coverage }: Report): Value[][] {
  return prompts.prompts
    .map(({ id, text, intent, branded }) => {
      const cover = coverage.find(({ promptId }) => promptId === id);
      const none = Array.from({ length: 8 }, () => undefined);
      return [
        id,
        text,
        intent,
        branded,
        "extractive",
        ...none,
        cover?.verdict,
        cover?.passage?.quote,
        cover?.passage?.url,
      ];
    })
    .map((row) => [...row, ...Array.from({ length: HEAD.length - row.length }, () => undefined)]);
}

/** A cell that begins like a formula gets a quote before it: a spreadsheet then shows it and does not run it. */
function field(value: Value): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" && /^[\s]*[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
