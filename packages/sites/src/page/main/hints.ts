// What authors call the parts of their pages. Classes and ids are no standard, but a few hundred words are used again and again.

const word = (words: string) => new RegExp(`(?:^|[^a-z])(?:${words.trim().split(/\s+/).join("|")})(?![a-z])`, "i");

/** Parts around the text: they belong to the site, to advertisers or to readers, and not to what the page is about. */
const AROUND = word(`
  ads? adsense advert\\w* adverts sponsor\\w* promo\\w* outbrain taboola teads dfp banner
  comments? comment-?list commentlist disqus respond replies reply shoutbox discussion livefyre
  sidebar side-?bar rail widget\\w* aside related relatedposts recommend\\w* recirc\\w* more-?from more-?stories most-?read most-?popular trending popular
  share\\w* sharing shar(?:e|ing)-?(?:bar|tools|buttons|links) social(?!-embed|-media-embed)\\w* follow-?us addthis addtoany sharedaddy jp-relatedposts sharethis
  nav navbar navigation nav-?menu menu\\w* submenu breadcrumbs? crumbs? pagination pager page-?links prev-?next next-?prev post-?nav\\w* toolbar
  footer foot masthead site-?header page-?header global-?header topbar top-?bar skip-?links?
  newsletter\\w* subscri\\w+ signup sign-?up optin opt-?in mailing-?list paywall regwall
  cookie\\w* consent gdpr ccpa agegate popup pop-?up modal lightbox overlay dialog toast notice-?bar alert-?bar
  tags? tag-?list taglist post-?tags entry-?tags categor(?:y|ies)-?list cat-?links post-?categories
  author-?(?:bio|box|info|card) about-?(?:the-?)?author bio byline by-?line dateline posted-?on timestamp pub-?date publish(?:ed)?-?date
  credits? copyright legal disclaimer print-?only noprint no-?print hide-?for-?print
  login log-?in account search search-?(?:form|box|bar) rating ratings vote votes poll
  carousel slideshow ticker jump-?to toc table-?of-?contents
`);

/** Parts that hold the text itself. */
const WITHIN = word(`
  article\\w* body content\\w* entry\\w* hentry h-entry main post\\w* text story\\w* blog\\w* prose rich-?text markdown single page-?content
  articlebody article-?body body-?copy copy
`);

const AROUND_ROLES =
  /(?:^|\s)role=(?:navigation|complementary|banner|contentinfo|search|dialog|alertdialog|menu|menubar|toolbar|tooltip)(?:\s|$)/;

export function namesSurroundings(hint: string): boolean {
  return AROUND.test(hint) || AROUND_ROLES.test(hint);
}

export function namesContent(hint: string): boolean {
  return WITHIN.test(hint) || /role=(?:main|article)(?:\s|$)/.test(hint);
}

const ARTICLE = word(
  `article-?body articlebody (?:post|entry|article|story|page|blog|main)-?(?:content|body|text) story-?body-?text field-name-body rich-?text-?article-?body`,
);

/** The text itself, by the names that publishing systems give it. */
export function namesArticle(hint: string): boolean {
  return ARTICLE.test(hint);
}

const META = word(`
  meta post-?meta entry-?meta article-?meta post-?info postinfo submitted\\w* date dates datetime date-?time time published updated posted author authors by-?author read(?:ing)?-?time estimated-?read-?time
  views gallery-?count duration kicker eyebrow section-?name
`);

/** Lines about the text: when, by whom, how often read. */
export function namesMeta(hint: string): boolean {
  return META.test(hint);
}

const CAPTION = word(`captions? thumbcaption wp-?caption-?text image-?credit photo-?credit credit`);

export function namesCaption(hint: string): boolean {
  return CAPTION.test(hint);
}

const DISCLOSURE = word(
  `accordions? collaps\\w* panels? tabs? tab-?panel tab-?content tab-?pane toggles? toggle-?content expand\\w* faqs? answers? read-?more show-?more spoiler`,
);

/** Parts that a visitor opens with a click. */
export function namesDisclosure(hint: string): boolean {
  return DISCLOSURE.test(hint) || /role=(?:tabpanel|region)(?:\s|$)/.test(hint);
}
