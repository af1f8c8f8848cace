import { clip } from "../../page/clean.ts";
import { isQuestion } from "../questions.ts";
import { type CheckFacts, type CheckVerdict, pagesOf } from "./check.ts";

export function nameConsistent({ crawl: { home }, brand }: CheckFacts): CheckVerdict {
  const name = brand.name.toLowerCase();
  const places = { title: home.title, "og:site_name": home.siteName, "first heading": home.headings[0]?.text ?? "" };
  const named = Object.entries(places).filter(([, text]) => text.toLowerCase().includes(name));
  if (places.title.toLowerCase().includes(name)) {
    return {
      status: "pass",
      finding: `The first page's ${named.map(([where]) => where).join(", ")} says ${brand.name}.`,
    };
  }
  return {
    status: "warn",
    finding: `The first page's title does not say ${brand.name}.`,
    evidence: [{ url: home.url, quote: clip(home.title, 300) }],
    fix: "Use the same name in title, og:site_name and structured data.",
  };
}

export function questions({ crawl: { pages } }: CheckFacts): CheckVerdict {
  const asked = pages.flatMap((page) =>
    page.headings
      .filter(({ text, aside }) => !aside && isQuestion(text))
      .map(({ text }) => {
        const answer = page.passages.find((passage) => passage.heading === text && passage.text.length >= 30);
        return { url: page.url, text, answered: answer !== undefined };
      }),
  );
  const answered = asked.filter((each) => each.answered);
  const evidence = answered.slice(0, 3).map(({ url, text }) => ({ url, quote: clip(text, 300) }));
  const finding =
    answered.length === 0
      ? "No heading is a question with an answer below it."
      : `${answered.length} ${answered.length === 1 ? "heading is a question" : "headings are questions"} with an answer below.`;
  if (answered.length >= 3) return { status: "pass", finding, evidence };
  return {
    status: "warn",
    finding,
    evidence,
    fix: "Use customers' questions as headings, and answer each in the first sentence below it.",
  };
}

const YEAR_MS = 365 * 24 * 3_600_000;

export function freshness({ crawl: { pages }, now }: CheckFacts): CheckVerdict {
  const dated = pages.flatMap((page) => page.dates.map((date) => ({ url: page.url, date })));
  const [latest] = dated.filter(({ date }) => Date.parse(date) <= now).sort((a, b) => (a.date < b.date ? 1 : -1));
  if (!latest)
    return {
      status: "warn",
      finding: "No page shows when it was changed.",
      fix: "Show and mark up the date of the last change.",
    };
  const evidence = [{ url: latest.url, quote: latest.date }];
  if (now - Date.parse(latest.date) < YEAR_MS)
    return { status: "pass", finding: `The latest date is ${latest.date}.`, evidence };
  return {
    status: "warn",
    finding: `The latest date is ${latest.date}, more than a year ago.`,
    evidence,
    fix: "Review the pages and update their dates.",
  };
}

export function textWithoutScripts({ crawl: { home, pages } }: CheckFacts): CheckVerdict {
  if (home.flags.includes("app-shell")) {
    return {
      status: "fail",
      finding: "The first page is empty until JavaScript runs; most bots see nothing.",
      fix: "Render the pages on the server.",
    };
  }
  const words = pages.reduce((sum, page) => sum + page.words, 0);
  const share =
    home.htmlChars === 0 ? 0 : home.passages.reduce((sum, { text }) => sum + text.length, 0) / home.htmlChars;
  const finding = `${words} words on ${pagesOf(pages.length)}; ${Math.round(share * 100)} % of the first page is text.`;
  if (home.words >= 100) return { status: "pass", finding };
  return { status: "warn", finding, fix: "Say in text what you offer, to whom and at what price." };
}
