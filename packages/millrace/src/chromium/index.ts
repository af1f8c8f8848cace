// What `millrace/chromium` gives: a browser for workloads that draw or print with one.

export { Browser, type BrowserOptions, ChromiumEnded } from "./browser.ts";
export type { AskOptions, Listener } from "./connection.ts";
export { type ChromiumBinary, findChromium, INSTALL_HINT, locateChromium, preferChromium } from "./find.ts";
export { fontConfigFile, fontConfigWithSystem, fontFolders, type PageFonts } from "./font-config.ts";
export { Page } from "./page.ts";
