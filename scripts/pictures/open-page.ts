// Opens a page of HTML in Chromium, as on a phone or a desk, in the light or in the dark.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer, { type Page } from 'puppeteer-core';

export interface View {
  width: 390 | 1280;
  scheme: 'light' | 'dark';
}

/** Both widths in both schemes. */
export const views: readonly View[] = ([390, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
);

/** Where Chromium is, or undefined. */
export const chromium = [
  process.env.CHROMIUM ?? [],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
  .flat()
  .find((path) => existsSync(path));

export const withoutChromium =
  'no Chromium was found; install it (apt-get install chromium), or set CHROMIUM to its path';

interface Opened extends View {
  html: string;
  /** Whether its script runs; it does unless stated. */
  withScript?: boolean;
}

/** Calls back with the page, opened from a file, and with what it asks for while it is looked at. */
export async function withPage<T>(
  { html, width, scheme, withScript = true }: Opened,
  look: (page: Page, requested: readonly string[]) => Promise<T>,
): Promise<T> {
  if (chromium === undefined) throw new Error(withoutChromium);
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-page-'));
  const file = join(folder, 'report.html');
  writeFileSync(file, html);
  const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.setJavaScriptEnabled(withScript);
    await page.setViewport(viewportOf(width));
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.goto(pathToFileURL(file).href);
    return await look(page, requested);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

function viewportOf(width: View['width']) {
  const isPhone = width === 390;
  return {
    width,
    height: isPhone ? 844 : 900,
    deviceScaleFactor: isPhone ? 2 : 1,
    isMobile: isPhone,
    hasTouch: isPhone,
  };
}
