// Opens HTML pages in Chromium.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

export interface View {
  width: 390 | 1280;
  scheme: 'light' | 'dark';
}

export const views: readonly View[] = ([390, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
);

/** The path of Chromium, if it is installed. */
export const chromium = [
  process.env.CHROMIUM ?? [],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
  .flat()
  .find((path) => existsSync(path));

const withoutChromium =
  'no Chromium was found; install it (apt-get install chromium), or set CHROMIUM to its path';

type Look<T> = (page: Page, requested: readonly string[], problems: readonly string[]) => Promise<T>;

interface Opened extends View {
  /** Default: true. */
  withScript?: boolean;
}

/** Opens HTML from a file. `requested`: the URLs that the page has loaded; `problems`: its messages and errors. */
export async function withPage<T>({ html, ...opened }: Opened & { html: string }, look: Look<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-page-'));
  const file = join(folder, 'report.html');
  writeFileSync(file, html);
  try {
    return await withPageAt({ url: pathToFileURL(file).href, ...opened }, look);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function withPageAt<T>(
  { url, width, scheme, withScript = true }: Opened & { url: string },
  look: Look<T>,
): Promise<T> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const requested: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.evaluateOnNewDocument(logViolations);
    await page.setJavaScriptEnabled(withScript);
    await page.setViewport(viewportOf(width));
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.goto(url);
    return await look(page, requested, problems);
  } finally {
    await browser.close();
  }
}

/** Logs violations of the content security policy. */
const logViolations = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.log('broken: ' + violatedDirective + (blockedURI === 'inline' ? '' : ' ' + blockedURI)))`;

export async function clickOn(page: Page, selector: string): Promise<void> {
  await page.locator(selector).click();
}

/** Throws if Chromium is not installed. */
export async function launchChromium(...flags: string[]): Promise<Browser> {
  if (chromium === undefined) throw new Error(withoutChromium);
  const args = ['--no-sandbox', '--no-proxy-server', ...flags];
  return puppeteer.launch({ executablePath: chromium, args });
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
