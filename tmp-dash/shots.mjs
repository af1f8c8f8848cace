import { chromium } from "playwright-core";
import { chromiumForTests } from "../test/support/chromium.ts";
const [base, out, widths, themes, ...paths] = process.argv.slice(2);
const { path, env } = await chromiumForTests();
const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox","--disable-dev-shm-usage","--disable-gpu","--disable-software-rasterizer"], env: { ...process.env, ...env } });
for (const width of widths.split(",")) for (const theme of themes.split(",")) {
  const ctx = await browser.newContext({ viewport: { width: Number(width), height: Number(width) < 500 ? 844 : 1000 }, colorScheme: theme, locale: "en-GB" });
  const page = await ctx.newPage();
  for (const p of paths) {
    try { await page.goto(base + p, { waitUntil: "load", timeout: 60000 }); await page.waitForTimeout(2500);
    const name = p.replace(/[^a-z0-9]+/gi, "_").replace(/^_ui_?/, "") || "overview";
    await page.screenshot({ path: `${out}/${name}-${width}-${theme}.png`, fullPage: Number(width) < 500 }); } catch (e) { console.log(p, String(e).slice(0,200)); }
  }
  await ctx.close();
}
await browser.close();
