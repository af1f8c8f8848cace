/** One stylesheet for screen, dark screen, small screen and paper. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#d8dde3;--ground:#fff;--card:#f6f8fa;--own:#0b62c4;--rival:#8a6d1f;--good:#116b3a;--bad:#b3261e;--warn:#8a5a00;--mark:#fff1b8;--band:#0b62c433}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--soft:#a3adb8;--line:#343b44;--ground:#14171b;--card:#1d2127;--own:#78b4ff;--rival:#e0bf62;--good:#63d297;--bad:#ff8f87;--warn:#f0b95c;--mark:#5b4a00;--band:#78b4ff40}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK JP",sans-serif}
main{max-width:1040px;margin:0 auto;padding:40px 28px 80px}
h1{font-size:2rem;line-height:1.2;margin:0 0 6px;letter-spacing:-.015em}
h2{font-size:1.28rem;margin:52px 0 12px;letter-spacing:-.01em}
h3{font-size:1rem;margin:22px 0 6px}
p{margin:0 0 12px;max-width:72ch}
a{color:var(--own)}
.soft{color:var(--soft)}
.small{font-size:.86rem}
.line{display:flex;flex-wrap:wrap;gap:6px 18px;color:var(--soft);font-size:.92rem;margin:0 0 18px}
.badge{display:inline-block;border:1px solid var(--line);border-radius:99px;padding:1px 10px;font-size:.8rem;color:var(--soft);white-space:nowrap}
.banner{border-left:4px solid var(--warn);background:var(--card);padding:12px 16px;margin:18px 0;border-radius:0 6px 6px 0;max-width:none}
.banner strong{color:var(--warn)}
.lead{font-size:1.14rem;max-width:68ch;margin:20px 0}
.tiles{display:grid;grid-template-columns:repeat(4,1fr);gap:14px;margin:22px 0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px}
.tile .label{font-size:.84rem;color:var(--soft)}
.tile .value{font-size:1.75rem;font-weight:650;letter-spacing:-.02em;line-height:1.3;font-variant-numeric:tabular-nums}
.tile .of{font-size:.84rem;color:var(--soft);font-variant-numeric:tabular-nums}
.tile .none{color:var(--soft);font-size:1.1rem;font-weight:500}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:8px 12px 8px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font-weight:600;color:var(--soft);font-size:.82rem}
td.num,th.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tr.own td{font-weight:600}
ol.actions{padding-left:22px;margin:10px 0;max-width:80ch}
ol.actions li{margin:0 0 12px}
blockquote{margin:4px 0 0;padding-left:12px;border-left:2px solid var(--line);color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}
blockquote+blockquote{margin-top:10px}
@media (min-width:721px){.stack td:first-child{min-width:200px}}
.state{font-weight:600;white-space:nowrap}
.pass,.answered{color:var(--good)}.fail,.notfound{color:var(--bad)}.warn,.partly{color:var(--warn)}.na{color:var(--soft)}
.cell{white-space:nowrap;font-variant-numeric:tabular-nums}
.cell i{display:inline-block;width:11px;height:11px;border-radius:2px;margin-right:6px;vertical-align:-1px;border:1px solid var(--soft);background:linear-gradient(0deg,var(--own) var(--fill,0%),transparent var(--fill,0%))}
details{border:1px solid var(--line);border-radius:8px;margin:0 0 10px;background:var(--ground)}
summary{cursor:pointer;padding:10px 14px;font-weight:600;overflow-wrap:anywhere}
summary .badge{font-weight:400;margin-left:8px}
details>div{padding:0 14px 14px}
.answer{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--card);border-radius:6px;padding:12px;margin:6px 0 12px;font-size:.92rem}
mark{background:var(--mark);color:inherit;border-radius:2px;padding:0 1px}
mark.rival{background:none;text-decoration:underline;text-decoration-color:var(--rival);text-decoration-thickness:2px}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{fill:var(--ink);font:13px ui-sans-serif,system-ui,sans-serif}
svg .soft{fill:var(--soft)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 20px;font-size:.92rem;margin:0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
@media (max-width:720px){main{padding:24px 16px 60px}.tiles{grid-template-columns:repeat(2,1fr)}h1{font-size:1.55rem}h2{margin-top:40px}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}
.stack thead{position:absolute;clip-path:inset(50%);height:1px;overflow:hidden}.stack tr{display:block;padding:10px 0;border-bottom:1px solid var(--line)}.stack td{display:block;border:0;padding:2px 0}}
@page{margin:16mm 14mm}
@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--line:#bbb;--ground:#fff;--card:#f4f4f4;--own:#0b4ea2;--rival:#6b5310;--good:#0d5a30;--bad:#9b1c15;--warn:#6e4700;--mark:#ffef9e;--band:#0b4ea233}
body{font-size:10.5pt}main{max-width:none;padding:0}h2{break-after:avoid;margin-top:26pt}h3{break-after:avoid}tr,li,.tile,blockquote{break-inside:avoid}thead{display:table-header-group}
details{border:0;border-top:1px solid var(--line);border-radius:0}details::details-content{content-visibility:visible;block-size:auto}summary{list-style:none;break-after:avoid;padding:8px 0}details>div{padding:0}a{color:inherit;text-decoration:none}.wide{overflow:visible}}
`;
