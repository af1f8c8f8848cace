// What a browser's own stylesheet says about the elements that labels use.

import { Cascade } from "../../svg/cascade.ts";

const CSS = `
div, p, section, center, blockquote, pre, ul, ol, dl, dt, dd, h1, h2, h3, h4, h5, h6, hr, details, summary, body, html { display: block }
p, dl, blockquote, pre, ul, ol { margin-top: 1em; margin-bottom: 1em }
blockquote { margin-left: 40px; margin-right: 40px }
dd { margin-left: 40px }
ul, ol { padding-left: 40px }
ul ul, ul ol, ol ul, ol ol { margin-top: 0; margin-bottom: 0 }
ul { list-style-type: disc }
ul ul, ol ul { list-style-type: circle }
ul ul ul, ol ul ul, ul ol ul, ol ol ul { list-style-type: square }
ol { list-style-type: decimal }
li { display: list-item }
h1 { font-size: 2em; margin-top: 0.67em; margin-bottom: 0.67em }
h2 { font-size: 1.5em; margin-top: 0.83em; margin-bottom: 0.83em }
h3 { font-size: 1.17em; margin-top: 1em; margin-bottom: 1em }
h4 { margin-top: 1.33em; margin-bottom: 1.33em }
h5 { font-size: 0.83em; margin-top: 1.67em; margin-bottom: 1.67em }
h6 { font-size: 0.67em; margin-top: 2.33em; margin-bottom: 2.33em }
h1, h2, h3, h4, h5, h6, b, strong, th { font-weight: bold }
i, em, cite, var, dfn { font-style: italic }
code, kbd, samp, tt, pre { font-family: monospace }
pre { white-space: pre }
big { font-size: larger }
small, sub, sup { font-size: smaller }
sub { vertical-align: sub }
sup { vertical-align: super }
u, ins, a[href] { text-decoration: underline }
s, strike, del { text-decoration: line-through }
a[href] { color: #0000ee }
mark { background-color: yellow; color: black }
center, th, caption { text-align: center }
table { display: table; border-spacing: 2px }
thead, tbody, tfoot { display: table-row-group }
tr { display: table-row }
caption { display: block }
td, th { display: table-cell; padding-top: 1px; padding-right: 1px; padding-bottom: 1px; padding-left: 1px; vertical-align: middle }
hr { margin-top: 0.5em; margin-bottom: 0.5em; height: 2px; background-color: gray }
script, style, template, title, head { display: none }
`;

export const browserStyles = new Cascade().add(CSS);
