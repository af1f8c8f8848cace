import type { Report } from "../api/report.ts";

/** One line per answer: what was asked, what came, and what was found in it. */
export function reportNdjson({ answers, prompts, findings, jobId, site }: Report): string {
  const found = new Map(findings.map((finding) => [finding.callKey, finding]));
  const asked = new Map(prompts.prompts.map((prompt) => [prompt.id, prompt]));
  const lines = answers.map(({ promptId, ...answer }) => {
    const { callKey: _key, ...finding } = found.get(answer.callKey) ?? { callKey: "", brands: [], citations: [] };
    return JSON.stringify({ jobId, site: site.domain, prompt: asked.get(promptId), ...answer, ...finding });
  });
  return lines.map((line) => `${line}\n`).join("");
}
