// Sites with habits that readers of the web meet: odd markup, odd headers, odd files beside the pages.

import { gzipSync } from "node:zlib";

const text = (about: string) =>
  `<p>We repair ${about} in our workshop by the river, quickly and with a guarantee of two years on every part.</p><p>Bring it in the morning and fetch it in the evening, or let us come to you, anywhere in the city.</p>`;
const page = (title: string, body: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
const jsonLd = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

/** A body, or a body with headers and status. */
export type OddPages = Readonly<
  Record<string, string | { body: string | Uint8Array; headers?: Record<string, string | string[]>; status?: number }>
>;

const links = (n: number) => Array.from({ length: n }, (_, i) => `<url><loc>{origin}/p/${i}</loc></url>`).join("");

export const ODD = {
  base: {
    "/": page("Clocks | Uhrwerk", `<h1>Clocks</h1>${text("clocks")}<a href="prices">Prices</a>`, '<base href="/en/">'),
    "/en/prices": page("Prices | Uhrwerk", `<h1>Prices</h1>${text("old clocks")}`),
  },
  refresh: {
    "/": '<meta http-equiv="refresh" content="0; url=/welcome"><p>One moment</p>',
    "/welcome": page("Clocks | Uhrwerk", `<h1>Clocks</h1>${text("clocks")}`),
  },
  refreshForEver: {
    "/": '<meta http-equiv="refresh" content="0;url=/a">',
    "/a": '<meta http-equiv="refresh" content="0;url=/">',
  },
  variants: {
    "/": page(
      "Clocks | Uhrwerk",
      `<h1>Clocks</h1>${text("clocks")}${["red", "blue", "green"].map((colour) => `<a href="/product?colour=${colour}">${colour} clock</a>`).join("")}`,
    ),
    "/product": page(
      "Clock | Uhrwerk",
      `<h1>Clock</h1>${text("wall clocks")}`,
      '<link rel="canonical" href="/product">',
    ),
  },
  elsewhere: {
    "/": page(
      "Clocks | Uhrwerk",
      `<h1>Clocks</h1>${text("clocks")}`,
      '<link rel="canonical" href="https://other.example/">',
    ),
  },
  packedSitemap: {
    "/": page("Clocks | Uhrwerk", `<h1>Clocks</h1>${text("clocks")}`),
    "/robots.txt": "User-agent: *\nAllow: /\nSitemap: /maps/index.xml.gz\n",
    "/maps/index.xml.gz": { body: gzipSync("<sitemapindex><sitemap><loc>one.xml.gz</loc></sitemap></sitemapindex>") },
    "/maps/one.xml.gz": { body: gzipSync("<urlset><url><loc>/faq</loc></url></urlset>") },
    "/faq": page("Questions | Uhrwerk", `<h1>Questions</h1>${text("cuckoo clocks")}`),
  },
  largeSitemap: {
    "/": page("Clocks | Uhrwerk", `<h1>Clocks</h1>${text("clocks")}`),
    "/sitemap.xml": `<urlset>${links(20_000)}</urlset>`,
  },
  forOneBot: {
    "/": {
      body: page("Clocks | Uhrwerk", `<h1>Clocks</h1>${text("clocks")}`),
      headers: { "X-Robots-Tag": ["googlebot: noindex", "max-snippet: 50"] },
    },
  },
  angular: {
    "/": '<!doctype html><html lang="en"><head><title>Clocks</title></head><body><app-root></app-root><script src="main.js" type="module"></script></body></html>',
  },
  cloudflare: {
    "/": {
      status: 403,
      headers: { "cf-mitigated": "challenge", server: "cloudflare" },
      body: "<!DOCTYPE html><title>Just a moment...</title><script>window._cf_chl_opt={}</script>",
    },
  },
  cookieWall: {
    "/": page(
      "Clocks",
      `<div><h2>We value your privacy</h2><p>We and our 842 partners store cookies and process personal data on your device with your consent, for personalised ads and content.</p><p>You can withdraw your consent at any time in the cookie settings, or object to legitimate interest.</p></div>`,
    ),
  },
  robotsForEver: {
    "/": page("Clocks | Uhrwerk", `<h1>Clocks</h1>${text("clocks")}`),
    "/robots.txt": { status: 302, headers: { location: "/robots.txt" }, body: "" },
  },
  dentist: {
    "/": page(
      "Teeth",
      `<h1>Teeth</h1>${text("teeth")}`,
      jsonLd({ "@type": "Dentist", name: "Praxis Weiß", url: "{origin}/" }),
    ),
  },
  shoeShop: {
    "/": page(
      "Shoes | Schuhhaus Lang",
      `<h1>Shoes</h1>${text("shoes")}`,
      `<meta property="og:site_name" content="Schuhhaus Lang">${jsonLd({ "@type": "Product", name: "Air", brand: { "@type": "Brand", name: "Nike" }, manufacturer: { "@type": "Organization", name: "Nike Inc" } })}`,
    ),
  },
} satisfies Record<string, OddPages>;
