// Answers that searched the web and answers from memory measure different things, so no figure counts both. If any answer searched,
// the report is about those; the others have figures of their own.

import { promptFigure } from "../analysis/interval.ts";
import type { Report } from "../api/report.ts";
import type { Answer } from "../api/shapes.ts";
import { countsOf, type GroundingSide, mentionsOwn, sideOf, type Tally } from "./tally.ts";

const MOST_QUERIES = 30;

export function groundingOf(
  good: readonly Answer[],
  counted: GroundingSide,
  { found, branded }: Tally,
): Pick<Report, "grounding" | "queries"> {
  if (counted === "memory") return {};
  const others = good.filter((answer) => sideOf(answer) !== counted && !branded.has(answer.promptId));
  const queries = new Map<string, number>();
  for (const answer of good) {
    for (const query of new Set(answer.queries)) queries.set(query, (queries.get(query) ?? 0) + 1);
  }
  const counts = countsOf(others, (answer) => mentionsOwn(answer, found));
  return {
    grounding: {
      counted,
      search: good.filter(({ grounded }) => grounded).length,
      memory: good.filter(({ grounded }) => !grounded).length,
      other: others.length === 0 ? [] : [promptFigure("mention-rate:memory", "Mention rate from memory", counts)],
    },
    queries: [...queries]
      .map(([query, answers]) => ({ query, answers }))
      .sort((a, b) => b.answers - a.answers)
      .slice(0, MOST_QUERIES),
  };
}
