// @module-tag nightly
// The API reference in Chromium: a reader makes a call, and nothing leaves the machine.
import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../mock/start.ts';
import { withPageAt } from './testing/open-page.ts';

const backgrounds = { light: 'rgb(255, 255, 255)', dark: 'rgb(15, 15, 15)' };

test.for(['light', 'dark'] as const)(
  'a reader calls an operation in the %s scheme',
  { timeout: 120_000 },
  async (scheme) => {
    const mock = await startMock();
    onTestFinished(() => mock.close());
    const { origin } = new URL(mock.baseUrl);
    const url = `${origin}/docs#tag/sites/GET/tenant/sites`;
    await withPageAt({ url, width: 1280, scheme }, async (page, requested, problems) => {
      await click(page, /^Test Request\(get \/tenant\/sites\)/i);
      await click(page, /^Send/);
      await page.waitForFunction("document.body.innerText.includes('200 OK')", { timeout: 30_000 });
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(background).toBe(backgrounds[scheme]);
      expect(mock.control.requests().requests[0]).toMatchObject({ operation: 'listSites', status: 200 });
      const elsewhere = requested.filter(
        (one) => !one.startsWith(`${origin}/`) && !/^(data|blob):/.test(one),
      );
      expect(elsewhere).toEqual([]);
      expect(problems.filter((one) => !one.startsWith('info: '))).toEqual([]);
    });
  },
);

async function click(page: Page, label: RegExp): Promise<void> {
  const found = `[...document.querySelectorAll('button')].find((one) => ${label}.test(one.textContent.trim()))`;
  await page.waitForFunction(`${found} !== undefined`, { timeout: 30_000 });
  await page.evaluate(`${found}.click()`);
}
