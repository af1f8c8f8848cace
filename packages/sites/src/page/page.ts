/** What is read out of one page. */
export interface PageContent {
  title: string;
  description: string;
  lang: string;
  canonical: string;
  siteName: string;
  generator: string;
  /** `noindex`, `nosnippet` ...: of the page's own meta tags. */
  robots: string[];
  headings: { level: number; text: string }[];
  passages: Passage[];
  links: { href: string; text: string }[];
  /** Each `application/ld+json` block as it stands there. */
  jsonLd: string[];
  /** Moments the page says it was made or changed at. */
  dates: string[];
  /** Text that is there and not shown: a finding, never used as text. */
  hidden: string[];
  scripts: string[];
  words: number;
  /** It says it needs JavaScript, or has room for an app and nothing else. */
  appShell: boolean;
  /** Why reading stopped before the end. */
  cut?: "depth" | "tags" | "text" | "time";
}

/** A paragraph, list item or row, under the heading before it. */
export interface Passage {
  text: string;
  heading: string;
  /** Of a navigation, header or footer. */
  aside: boolean;
}
