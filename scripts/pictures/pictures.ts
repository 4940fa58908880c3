// Takes the pictures of docs/images/: the HTML report of a red run, and the console, on a desk in the light and on a phone in the dark.
import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { htmlReport } from '../../contract-tests/reports/html.ts';
import { startMock } from '../../mock/start.ts';
import { fillMock, makeRedReport } from './testing/fill-mock.ts';
import { type View, withPage, withPageAt } from './testing/open-page.ts';

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const mostBytes = 150_000;
const views: readonly View[] = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
];

const html = htmlReport(await makeRedReport());
const mock = await startMock({ clock: 'manual', port: 4010 });
await fillMock(mock);
mkdirSync(folder, { recursive: true });
for (const view of views) {
  const ending = `${view.width}-${view.scheme}.webp` as const;
  await withPage({ html, ...view }, (page) => takePicture(page, `report-${ending}`));
  await withPageAt({ url: `${mock.controlUrl}/console#deliveries/1`, ...view }, async (page) => {
    await page.waitForSelector('.detail pre');
    await takePicture(page, `console-${ending}`);
  });
}
await mock.close();

async function takePicture(page: Page, name: `${string}.webp`): Promise<void> {
  const path = `${folder}${name}` as const;
  await page.screenshot({ path, type: 'webp', quality: 80 });
  const { size } = statSync(path);
  if (size > mostBytes) throw new Error(`${path} has ${size} bytes; at most ${mostBytes} are wanted`);
  console.log(`${path} ${size} bytes`);
}
