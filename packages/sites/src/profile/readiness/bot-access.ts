import type { CheckFacts, CheckVerdict } from "./check.ts";

/** What robots.txt cannot say: whether a firewall lets the bots through. A bot that robots.txt forbids is another check's matter. */
export function botsAreServed({ crawl: { access = [], home } }: CheckFacts): CheckVerdict {
  const tried = access.filter(({ outcome }) => outcome !== "robots");
  const shut = tried.filter(({ outcome }) => outcome !== "served");
  const said = access.map(({ bot, detail }) => `${bot}: ${detail}`).join("; ");
  if (tried.length === 0) return { status: "n/a", finding: `No bot was tried. ${said}.` };
  if (shut.length === 0) return { status: "pass", finding: `${said}.` };
  return {
    status: "fail",
    finding: `${said}.`,
    evidence: shut.map(({ bot, detail }) => ({ url: home.url, quote: `${bot}: ${detail}` })),
    fix: `Let ${shut.map(({ bot }) => bot).join(", ")} through in the firewall or CDN, verified by the address ranges that their operators publish.`,
  };
}
