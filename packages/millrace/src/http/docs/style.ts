// Colours in pairs for light and dark; text on its ground keeps a contrast of 4.5 or more in both.
export const STYLE = `
:root{color-scheme:light dark;--page:light-dark(#fff,#12161a);--soft:light-dark(#f4f6f8,#1a2026);--line:light-dark(#dde3e8,#2b333b);
--ink:light-dark(#1a2026,#e6eaee);--dim:light-dark(#55616c,#9ba7b2);--link:light-dark(#0b5aa2,#74b8f5);
--get:light-dark(#0b6b3a,#5fd39a);--post:light-dark(#0b5aa2,#74b8f5);--put:light-dark(#8a5300,#f0b357);--delete:light-dark(#b3261e,#ff8f87)}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--page)}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}a:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px}
code{font:.88em ui-monospace,SFMono-Regular,Menlo,monospace}small{color:var(--dim)}p{margin:.4rem 0}
nav{position:fixed;inset:0 auto 0 0;width:19rem;overflow:auto;padding:1.25rem 1rem;border-right:1px solid var(--line);background:var(--soft);font-size:.85rem}
nav summary{font-weight:650;font-size:1rem;list-style:none;color:var(--ink)}nav summary::-webkit-details-marker{display:none}
nav ul{list-style:none;margin:.5rem 0;padding:0}nav>ul>li>a{display:block;margin-top:.9rem;color:var(--ink);font-weight:600}
nav>ul>li>a::first-letter,h2::first-letter{text-transform:uppercase}
nav li li a{display:flex;gap:.5rem;padding:.12rem 0;color:var(--dim);font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.75rem;overflow-wrap:anywhere}
.m{flex:none;width:3.2rem;font-weight:700}.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.delete{color:var(--delete)}
main{margin-left:19rem;max-width:82rem;padding:1.5rem 2.5rem 6rem}
h1{margin:.5rem 0 0;font-size:1.9rem;letter-spacing:-.01em}.lead{font-size:1.1rem;color:var(--dim)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1.25rem;max-width:52rem}dt{font-weight:600}dd{margin:0}
h2{margin:3.5rem 0 0;padding-bottom:.4rem;border-bottom:1px solid var(--line);font-size:1.35rem}
article{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,26rem);gap:0 2rem;padding:1.5rem 0;border-bottom:1px solid var(--line)}
article:target h3{background:var(--soft)}#shapes article{display:block}
h3{grid-column:1/-1;margin:0 0 .4rem;font-size:1.05rem;overflow-wrap:anywhere}h3 a{color:inherit}h3 b{margin-right:.35rem;font-size:.8rem;letter-spacing:.03em}
article[id^=get] h3 b{color:var(--get)}article[id^=post] h3 b{color:var(--post)}article[id^=put] h3 b{color:var(--put)}article[id^=delete] h3 b{color:var(--delete)}
pre{margin:.25rem 0 .75rem;padding:.75rem 1rem;overflow:auto;background:var(--soft);border:1px solid var(--line);border-radius:8px;font-size:.9rem}
header pre{max-width:52rem}header pre code{white-space:pre-wrap;overflow-wrap:anywhere}.example pre{max-height:26rem}.request code{white-space:pre-wrap;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;font-size:.9rem}td{padding:.35rem .9rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
tr:last-child td{border-bottom:0}.fields td:first-child{width:24%}.fields td:nth-child(2){width:26%;color:var(--dim)}.fields small{display:block}
.answer{margin-top:.75rem}.answer b{color:var(--get)}.failures{display:flex;flex-wrap:wrap;gap:.2rem .9rem;font-size:.8rem}.failures a{color:var(--dim)}
tr:target td{background:var(--soft)}
@media (max-width:72rem){article{display:block}.example{margin-top:.75rem}}
@media (max-width:56rem){nav{position:static;width:auto;border:0;border-bottom:1px solid var(--line);padding:.75rem 1rem}nav summary{cursor:pointer;list-style:revert}
nav details:not([open])+ul{display:none}main{margin:0;padding:.5rem 1rem 4rem}dl{grid-template-columns:1fr}dd{margin-bottom:.4rem}
.fields,.fields tbody,.fields tr,.fields td{display:block;width:auto!important}.fields tr{padding:.4rem 0;border-bottom:1px solid var(--line)}.fields td{border:0;padding:0}.fields small{display:inline}.fields td:first-child small{margin-left:.5rem}
nav li li a{padding:.4rem 0;font-size:.85rem}}
@media (min-width:56.01rem){nav summary{pointer-events:none}}`;
