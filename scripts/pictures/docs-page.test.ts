// @module-tag nightly
// The API reference in Chromium: a reader makes a call, and nothing leaves the machine.
import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../mock/start.ts';
import { launchChromium } from './testing/open-page.ts';

const schemes = ['light', 'dark'] as const;
const backgrounds = { light: 'rgb(255, 255, 255)', dark: 'rgb(15, 15, 15)' };

test.for(schemes)('a reader calls an operation in the %s scheme', { timeout: 120_000 }, async (scheme) => {
  const mock = await startMock();
  onTestFinished(() => mock.close());
  const { origin } = new URL(mock.baseUrl);
  const { page, requested, broken } = await open(`${origin}/docs#tag/sites/GET/tenant/sites`, scheme);
  await click(page, /^Test Request\(get \/tenant\/sites\)/i);
  await click(page, /^Send/);
  await page.waitForFunction("document.body.innerText.includes('200 OK')", { timeout: 30_000 });
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(backgrounds[scheme]);
  expect(mock.control.requests().requests[0]).toMatchObject({ operation: 'listSites', status: 200 });
  expect(requested.filter((url) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url))).toEqual([]);
  expect(broken).toEqual([]);
});

async function open(url: string, scheme: string) {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const requested: string[] = [];
  const broken: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => {
    if (message.type() !== 'info') broken.push(message.text());
  });
  page.on('pageerror', (error) => broken.push(String(error)));
  await page.evaluateOnNewDocument(tellBroken);
  await page.setViewport({ width: 1280, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(url);
  return { page, requested, broken };
}

/** Logs violations of the content security policy. */
const tellBroken = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.log('broken: ' + violatedDirective + (blockedURI === 'inline' ? '' : ' ' + blockedURI)))`;

async function click(page: Page, label: RegExp): Promise<void> {
  const found = `[...document.querySelectorAll('button')].find((one) => ${label}.test(one.textContent.trim()))`;
  await page.waitForFunction(`${found} !== undefined`, { timeout: 30_000 });
  await page.evaluate(`${found}.click()`);
}
