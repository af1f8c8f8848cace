// Japanese and Chinese put no spaces between words: an offer is a run of Han and katakana between particles.

import { FILLERS } from "./word-lists.ts";

const CUT_ZH =
  /的|了|和|与|及|或|在|为|是|我们|您|你|请|把|从|到|对|专业|提供|欢迎|致力于|专注|服务于|位于|拥有|以及|所有|每|一|这|那|有|能|可|就|都|也|不|很|最/u;

export function runsOf(text: string, lang: string): string[] {
  const fillers = new Set((FILLERS[lang] ?? "").split(" "));
  const runs =
    lang === "zh"
      ? text.split(/[^\p{Script=Han}]+/u).flatMap((run) => run.split(CUT_ZH))
      : (text.match(/[\p{Script=Han}\p{Script=Katakana}ー]{2,14}/gu) ?? []);
  return runs
    .map((run) => run.replace(/(?:向|用|専門店|専門|公司|服务|店)$/u, ""))
    .filter((run) => run.length >= 2 && run.length <= 10 && !fillers.has(run) && !isOnlyFiller(run, fillers));
}

/** A run that is nothing but two fillers side by side. */
function isOnlyFiller(run: string, fillers: ReadonlySet<string>): boolean {
  for (let i = 1; i < run.length; i++) if (fillers.has(run.slice(0, i)) && fillers.has(run.slice(i))) return true;
  return false;
}
