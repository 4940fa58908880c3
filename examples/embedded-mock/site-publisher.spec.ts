// Each test has its own mock in its process, and moves the clock of that mock.
import { BusinessError, createClient } from 'sitepub/client';
import { startMock } from 'sitepub/mock';
import { verifyWebhook } from 'sitepub/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { publish, subscribe } from './site-publisher.ts';

const secret = 's3cr3t';

test('learns of a publish from a signed push', async () => {
  const { client, siteID, inbox, mock } = await open();
  const version = await publish(client, siteID, 'spring menu');
  await mock.control.drain();
  const [message] = inbox.messages().messages;
  const { body = '', headers = {} } = message ?? {};
  const verified = await verifyWebhook({ body, headers, secret });
  expect(verified).toMatchObject({ ok: true, event: { event: 'publish.complete', data: { version } } });
});

test('learns of it even when its receiver was down for half an hour', async () => {
  const { client, siteID, inbox, mock } = await open();
  inbox.configure({ respond: [500, 'reset', 503, 200] });
  await publish(client, siteID, 'spring menu');
  await mock.control.advance('PT36M');
  expect(inbox.messages().messages).toHaveLength(4);
  expect(mock.control.deliveries().deliveries[0]?.state).toBe('delivered');
});

test('continues when its session has expired', async () => {
  const { client, siteID, mock } = await open();
  await mock.control.advance('P1D');
  expect(await publish(client, siteID, 'spring menu')).toBeGreaterThan(0);
});

test('gets an error when it publishes too often', async () => {
  const { client, siteID, mock } = await open();
  for (let turn = 1; turn <= 10; turn += 1) await publish(client, siteID, `draft ${turn}`);
  const error = await publish(client, siteID, 'draft 11').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BusinessError);
  await mock.control.advance('PT1M');
  expect(await publish(client, siteID, 'draft 11')).toBeGreaterThan(0);
});

async function open() {
  const mock = await startMock({ clock: 'manual' });
  onTestFinished(() => mock.close());
  const [tenant] = mock.tenants;
  const client = createClient({ baseUrl: mock.baseUrl, ...tenant?.users[0] });
  const siteID = Number(tenant?.sites[0]?.id);
  const inbox = mock.control.inbox('shop');
  await subscribe(client, { siteID, callback: inbox.url, secret });
  return { mock, client, siteID, inbox };
}
