/** What is read out of one page. */
export interface PageContent {
  title: string;
  description: string;
  lang: string;
  canonical: string;
  /** `<base href>`: what relative links start from. */
  base: string;
  /** Where `<meta http-equiv="refresh">` leads within ten seconds. */
  refresh: string;
  siteName: string;
  generator: string;
  /** `noindex`, `googlebot: nosnippet` ...: of the page's own meta tags. */
  robots: string[];
  headings: Heading[];
  passages: Passage[];
  links: { href: string; text: string }[];
  /** Each `application/ld+json` block as it stands there. */
  jsonLd: string[];
  /** Blocks of structured data that are too long to be read. */
  jsonLdCut: number;
  /** Moments the page says it was made or changed at. */
  dates: string[];
  /** Text that visitors do not see and that reads like instructions to a model. It is never used as text. */
  hidden: string[];
  scripts: string[];
  words: number;
  /** The page says that it needs JavaScript, or has room for an app and nothing else. */
  appShell: boolean;
  /** Why reading stopped before the end. */
  cut?: "depth" | "tags" | "text" | "time";
}

export interface Heading {
  level: number;
  text: string;
  /** Not part of the main text. */
  aside: boolean;
}

/** A paragraph, list item or row, under the heading before it. */
export interface Passage {
  text: string;
  heading: string;
  /** Not part of the main text: navigation, advertising, comments, footers and the like. */
  aside: boolean;
}
