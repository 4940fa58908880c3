// @module-tag nightly
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { type StartedMock, type StartOptions, startMock } from '../../mock/start.ts';
import { makeSchema, startPostgres } from '../../mock/testing/postgres-server.ts';
import { fillMock, lookAtViews } from './testing/fill-mock.ts';
import { clickOn, views, withPageAt } from './testing/open-page.ts';

const desk = { width: 1280, scheme: 'light' } as const;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function openMock(options: StartOptions = {}): Promise<StartedMock & { origin: string }> {
  const mock = await startMock(options);
  onTestFinished(() => mock.close());
  return { ...mock, origin: new URL(mock.baseUrl).origin };
}

test('supports a story from login to the fourth attempt and a fault', async () => {
  const { origin } = await openMock();
  await withPageAt({ url: `${origin}/`, ...desk }, async (page) => {
    await press(page, 'World', 'link');
    await press(page, 'Log in as mei@harbour-cafe.example');
    await told(page, 'mei@harbour-cafe.example is logged in');
    await clickOn(page, 'a[href="#world/101"]');
    await press(page, 'Subscribe');
    await told(page, 'mei@harbour-cafe.example subscribed the inbox shop to site 101.');
    await press(page, 'Trigger this event');
    await told(page, 'publish.complete was triggered. The mock sends 1 push.');

    await openInbox(page);
    await seen(page, '.message', 'Message 1');
    await seen(page, '.message .badge.good', 'signature valid');
    await press(page, 'Fail four times');
    await told(page, 'The inbox answers the next four messages with status 500.');

    await press(page, 'World', 'link');
    await clickOn(page, 'a[href="#world/101"]');
    await press(page, 'Trigger this event');
    await press(page, 'Deliveries', 'link');
    await clickOn(page, 'a[href="#deliveries/2"]');
    for (const [count, button] of ['', 'Next retry', '5 min', '30 min'].entries()) {
      if (button !== '') await press(page, button);
      await seen(page, '.attempts li:last-child', `Attempt ${count + 1}`);
      await expect.poll(() => page.$$eval('.detail .retries g.bad', (some) => some.length)).toBe(count + 1);
    }
    await seen(page, '.detail .badge', 'given-up');
    expect(await textsOf(page, '.attempts .badge')).toEqual(Array(4).fill('signature valid'));
    await press(page, 'Send again');
    await seen(page, '.detail .badge', 'delivered');

    await press(page, 'Clock and faults', 'link');
    await page.locator('::-p-aria(Search faults)').fill('signature-without-prefix-on-comments');
    await clickOn(page, '.faults input');
    await told(page, 'The fault signature-without-prefix-on-comments is on.');
    await press(page, 'World', 'link');
    await clickOn(page, 'a[href="#world/101"]');
    await page.locator('select[name=event]').fill('comment.created');
    await press(page, 'Trigger this event');
    await openInbox(page);
    await seen(page, '.message:first-child .badge.bad', 'signature invalid');

    await press(page, 'World', 'link');
    await press(page, 'Log in as zoe@blumenladen.example');
    await told(page, 'zoe@blumenladen.example is logged in');
    await clickOn(page, 'a[href="#world/101"]');
    await press(page, 'Publish the site');
    await told(page, 'mei@harbour-cafe.example published the site.');

    await press(page, 'Requests', 'link');
    const shown = async () => (await textsOf(page, '.row.request')).join('\n');
    await expect.poll(shown).toMatch(/POST.*\/auth\/tenant\/login/);
    expect(await shown()).toContain('mei@harbour-cafe.example');
  });
});

test('forces the next answer with a custom body', async () => {
  const { origin, baseUrl } = await openMock();
  const login = () => fetch(`${baseUrl}/auth/tenant/login`, { method: 'POST', body: '{}' });
  await login();
  await withPageAt({ url: `${origin}/_mock/console`, ...desk }, async (page) => {
    await clickOn(page, 'a[href="#requests/1"]');
    await seen(page, '.explained', 'Refused:');
    await page.locator('.detail input[name=status]').fill('418');
    await clickOn(page, '.detail .form summary');
    await page.locator('.detail textarea').fill('{"mine": [1]}');
    await press(page, 'Force this answer');
    await told(page, 'The mock forces this answer for the next call of login.');
    const answer = await login();
    expect([answer.status, await answer.json()]).toEqual([418, { mine: [1] }]);
    expect((await login()).status).not.toBe(418);
    await seen(page, '.row.request', 'forced');
  });
});

test.for(views)(
  'is accessible, loads nothing from elsewhere and does not scroll sideways at $width in the $scheme',
  { timeout: 180_000 },
  async (view) => {
    const mock = await openMock({ clock: 'manual' });
    await fillMock(mock);
    await withPageAt({ url: `${mock.origin}/_mock/console`, ...view }, async (page, requested, problems) => {
      const findings: unknown[] = [];
      for (const place of lookAtViews) {
        await page.evaluate(`location.assign('#${place}')`);
        await page.waitForSelector(place.includes('/') ? '.detail h3, .detail pre' : 'main h1');
        await page.waitForNetworkIdle({ idleTime: 200, concurrency: 1 });
        await page.$$eval('details', (some) => some.map((one) => one.setAttribute('open', '')));
        const { violations } = await runAxe(page);
        const wide = Number(
          await page.evaluate('Math.max(0, document.scrollingElement.scrollWidth - innerWidth)'),
        );
        findings.push(
          ...violations.map(({ id, nodes }) => [place, id, nodes[0]?.html, nodes[0]?.failureSummary]),
        );
        if (wide > 0) findings.push([place, `${wide} pixels too wide`]);
      }
      expect(findings).toEqual([]);
      expect(requested.filter((url) => !url.startsWith(`${mock.origin}/`) && url !== 'data:,')).toEqual([]);
      expect(problems).toEqual([]);
    });
  },
);

test('takes 60 kB, and shows 1,000 requests and 500 pushes', async () => {
  const mock = await openMock();
  await fillMock(mock, { requests: 1000, pushes: 500 });
  await fetch(`${mock.origin}/_mock/console`);
  await withPageAt({ url: `${mock.origin}/_mock/console#deliveries`, ...desk }, async (page) => {
    await page.waitForSelector('.row.delivery');
    const bytes = Number(await page.evaluate(transferred));
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(60_000);
    await page.goto(`${mock.origin}/_mock/console#requests`);
    await page.waitForSelector('.row.request');
    expect((await textsOf(page, 'nav .count')).slice(0, 2)).toEqual(['1000', '500']);
  });
});

test('shows texts from outside as text', async () => {
  const { origin, control } = await openMock();
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  await fetch(`${origin}/api/v1/${encodeURIComponent(hostile)}?${encodeURIComponent(hostile)}`, {
    headers: { 'x-hostile': hostile },
  });
  await control.inbox(hostile.slice(0, 90)).configure({ kind: 'feishu' });
  const card = {
    msg_type: 'post',
    content: { post: { zh_cn: { title: hostile, content: [[{ tag: 'text', text: hostile }]] } } },
  };
  await fetch(`${origin}/_mock/inbox/${encodeURIComponent(hostile.slice(0, 90))}`, {
    method: 'POST',
    body: JSON.stringify(card),
  });
  await withPageAt({ url: `${origin}/_mock/console#requests/1`, ...desk }, async (page) => {
    await seen(page, '.detail', 'onerror');
    await press(page, 'Inboxes', 'link');
    await clickOn(page, '.row.inbox');
    await seen(page, '.bubble', 'onerror');
    expect(await page.$$eval('#console img, #console script', (some) => some.length)).toBe(0);
    expect(await page.title()).toBe('Inboxes, sitepub console');
  });
});

test('saves a world with long identifiers, and shows them with every digit', async () => {
  const { origin, baseUrl, tenants } = await openMock({ variations: ['long-ids'] });
  const headers = { authorization: `Bearer ${tenants[0]?.apiKey}` };
  await fetch(`${baseUrl}/tenant/sites`, { headers });
  await withPageAt({ url: `${origin}/_mock/console#world`, ...desk }, async (page) => {
    await press(page, 'Save the world');
    await told(page, 'The world was saved as world.json.');
    await press(page, 'Requests', 'link');
    await clickOn(page, 'a[href="#requests/1"]');
    await seen(page, '.detail pre', '"site_id": 1892345678000000101,');
  });
});

test('asks for the control token, and never puts it into a URL', async () => {
  const { origin } = await openMock({ controlToken: 'a-control-token' });
  await withPageAt({ url: `${origin}/_mock/console`, ...desk }, async (page, requested) => {
    await page.locator('input[name=token]').fill('wrong');
    await press(page, 'Open the console');
    await page.waitForSelector('input[name=token]');
    await page.locator('input[name=token]').fill('a-control-token');
    await press(page, 'Open the console');
    await seen(page, 'header', 'live');
    await page.reload();
    await seen(page, 'header', 'live');
    expect(requested.filter((url) => url.includes('a-control'))).toEqual([]);
  });
});

test('works with the keyboard and the Back button', async () => {
  const { origin, baseUrl } = await openMock();
  await fetch(`${baseUrl}/nowhere`);
  await withPageAt({ url: `${origin}/_mock/console`, ...desk }, async (page) => {
    await page.waitForSelector('.row.request');
    for (let presses = 0; presses < 30 && !(await page.$('.row.request:focus')); presses++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.detail h2:focus');
    await page.goBack();
    await expect.poll(() => page.$('.detail')).toBe(null);
  });
});

test('reconnects when the mock restarts', { timeout: 120_000 }, async () => {
  const first = await startMock({ port: 0 });
  const port = Number(new URL(first.baseUrl).port);
  await withPageAt({ url: `http://127.0.0.1:${port}/_mock/console`, ...desk }, async (page) => {
    await seen(page, 'header', 'live');
    await first.close();
    await seen(page, 'header', 'not connected');
    const second = await openMock({ port });
    await seen(page, 'header', 'live');
    await fetch(`${second.baseUrl}/nowhere`);
    await seen(page, '.row.request', '/nowhere');
  });
});

const transferred = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ name }) => name.includes('/console'))
  .reduce((sum, one) => sum + one.transferSize, 0)`;

async function runAxe(page: Page): Promise<AxeResults> {
  await page.evaluate(axe);
  return (await page.evaluate('axe.run()')) as AxeResults;
}

async function openInbox(page: Page): Promise<void> {
  await press(page, 'Inboxes', 'link');
  await clickOn(page, 'a[href="#inboxes/shop"]');
}

/** Clicks a button or link by its accessible name. */
async function press(page: Page, name: string, role: 'button' | 'link' = 'button'): Promise<void> {
  if (role === 'link')
    await clickOn(page, `nav a[href="#${{ 'Clock and faults': 'steering' }[name] ?? name.toLowerCase()}"]`);
  else await page.locator(`::-p-aria([name="${name}"][role="button"])`).click();
}

async function told(page: Page, text: string): Promise<void> {
  await seen(page, '.notice', text);
}

async function seen(page: Page, selector: string, text: string): Promise<void> {
  await expect
    .poll(async () => (await textsOf(page, selector)).join('\n'), { timeout: 20_000 })
    .toContain(text);
}

function textsOf(page: Page, selector: string): Promise<string[]> {
  return page.$$eval(selector, (some) => some.map((one) => one.textContent ?? ''));
}

test('shows the store, its mocks, and a lost connection', async () => {
  const database = await startPostgres({ isDurable: false });
  onTestFinished(database.stop);
  const store = await makeSchema(database);
  const mocks = [await startMock({ store }), await startMock({ store })] as const;
  onTestFinished(async () => {
    for (const mock of mocks) await mock.close();
  });
  await withPageAt({ url: `${mocks[0].controlUrl}/console`, ...desk }, async (page) => {
    await seen(page, '.state', 'PostgreSQL, 2 mocks, 1 world');
    await seen(page, '.state', 'no push is due');
    await database.kill();
    await seen(page, '.state .bad', 'PostgreSQL cannot persist changes: store postgres://');
  });
});
