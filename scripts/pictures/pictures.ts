// Takes the pictures of docs/images/: the HTML report of a red run, and the console, on a desk in the light and on a phone in the dark.
import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { htmlReport } from '../../contract-tests/reports/html.ts';
import { type StartedMock, startMock } from '../../mock/start.ts';
import { makeRedReport } from './red-report.ts';
import { type View, withPage, withPageAt } from './testing/open-page.ts';

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const mostBytes = 150_000;
const views: readonly View[] = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
];

const html = htmlReport(await makeRedReport());
mkdirSync(folder, { recursive: true });
for (const view of views) {
  const path = `${folder}report-${view.width}-${view.scheme}.webp` as const;
  await withPage({ html, ...view }, (page) => page.screenshot({ path, type: 'webp', quality: 80 }));
  checkSize(path);
}

const mock = await startMock({ clock: 'manual', port: 4010 });
await prepareConsole(mock);
for (const view of views) {
  const path = `${folder}console-${view.width}-${view.scheme}.webp` as const;
  await withPageAt({ url: `${mock.controlUrl}/console#deliveries/3`, ...view }, async (page) => {
    await page.waitForSelector('.detail pre');
    await page.screenshot({ path, type: 'webp', quality: 80 });
  });
  checkSize(path);
}
await mock.close();

/** A push that failed three times, others that arrived, and one that has just begun. */
async function prepareConsole({ control }: StartedMock): Promise<void> {
  const username = 'mei@harbour-cafe.example';
  const secret = 'correct-horse-battery';
  const { url } = control.inbox('shop').configure({ secret });
  const events = ['publish.complete', 'content.delete'];
  await control.call({ operation: 'login', username });
  const values = { siteID: 102, url, events, channel: 'custom', secret };
  await control.call({ operation: 'createSubscription', username, values });
  const cause = async (event: 'publish.complete' | 'content.delete', message: string) => {
    control.causeEvent({ event, site_id: 102, data: { message, pages: 12, version: 8 } });
    await control.drain();
  };
  await cause('publish.complete', 'The menu of the week');
  await cause('content.delete', 'An old page');
  control.inbox('shop').configure({ respond: [500, 500, 503, 200] });
  await cause('publish.complete', 'The menu of the month');
  await control.advance('PT9M');
  await cause('content.delete', 'Another old page');
}

function checkSize(path: string): void {
  const { size } = statSync(path);
  if (size > mostBytes) throw new Error(`${path} has ${size} bytes; at most ${mostBytes} are wanted`);
  console.log(`${path} ${size} bytes`);
}
