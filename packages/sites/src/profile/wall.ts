import type { KeptPage } from "../crawl/page.ts";
import { countWords } from "../page/clean.ts";
import { bodyOf } from "./text-of.ts";

/** Why the text of a site cannot be trusted to say what the site is about. */
export type CoverageNote = "needs-javascript" | "little-text" | "challenge" | "consent-wall";

const LITTLE_WORDS = 25;
const CONSENT =
  /\b(?:cookies?|consent|GDPR|RGPD|DSGVO|einwillig\w*|zustimm\w*|datenschutz\w*|tracking|consentement|consentimiento|consenso|toestemming|samtycke|samtykke|zgod\w*|souhlas\w*|privacy policy|partners?|vendors?|legitimate interest|personali[sz]ed ads)\b|куки|файлов cookie|согласи|クッキー|同意/iu;

export function coverageNote(pages: readonly KeptPage[]): CoverageNote | undefined {
  const home = pages[0] as KeptPage;
  const words = pages.reduce((sum, page) => sum + page.words, 0);
  if (home.challenge !== undefined && words < LITTLE_WORDS * 4) return "challenge";
  if (words < LITTLE_WORDS) {
    return pages.some(({ flags }) => flags.includes("app-shell")) ? "needs-javascript" : "little-text";
  }
  return isAboutConsent(pages) ? "consent-wall" : undefined;
}

/** Nearly all that can be read is a notice about cookies. */
function isAboutConsent(pages: readonly KeptPage[]): boolean {
  const texts = [...new Set(pages.flatMap(bodyOf))];
  const words = (all: readonly string[]) => all.reduce((sum, text) => sum + countWords(text), 0);
  const all = words(texts);
  return all < 600 && words(texts.filter((text) => CONSENT.test(text))) > all * 0.7;
}
