// The mock publishes a site, and the receiver hears of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start.ts';

const secret = 'a signing secret';
const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

test('handles each event once, rejects invalid signatures, and does not change the parser of other routes', async () => {
  await using receiver = await startReceiver();
  const mock = await startMock();
  try {
    const site = Number(mock.tenants[0]?.sites[0]?.id);
    await subscribe(mock, site, receiver.url);
    await mock.control.causeEvent({
      event: 'publish.complete',
      site_id: site,
      data: { message: 'done', pages: 12, version: 7 },
    });
    await mock.control.drain();
    const [delivery] = mock.control.deliveries({}).deliveries;
    await mock.control.redeliver(Number(delivery?.id));
    await mock.control.causeEvent({ event: 'content.delete', site_id: site });
    await mock.control.drain();
    expect(mock.control.deliveries({}).deliveries.map(({ state }) => state)).toEqual([
      'delivered',
      'delivered',
    ]);
  } finally {
    await mock.close();
  }
  expect((await fetch(receiver.url, { method: 'POST', body: '{}' })).status).toBe(401);
  const echo = await fetch(new URL('/echo', receiver.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"a":1}',
  });
  expect(await echo.json()).toEqual({ a: 1 });
  expect(await receiver.linesUntil('rejected')).toEqual([
    '海港咖啡馆: 12 pages published',
    '海港咖啡馆: content.delete',
    'rejected, missing-header: the push has no X-Webhook-Signature header, so it is not signed',
  ]);
});

async function startReceiver() {
  const child = spawn(process.execPath, ['--import', pathOf('../use-checkout.ts'), pathOf('receiver.ts')], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: first = '' } = await lines.next();
  return {
    url: String(first).replace('listening on ', ''),
    async linesUntil(word: string): Promise<string[]> {
      const { value = word } = await lines.next();
      return value.includes(word) ? [value] : [value, ...(await this.linesUntil(word))];
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

async function subscribe(
  { baseUrl, tenants }: Awaited<ReturnType<typeof startMock>>,
  site: number,
  url: string,
) {
  const answer = await fetch(`${baseUrl}/tenant/sites/${site}/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tenants[0]?.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, events: ['publish.complete', 'content.delete'], channel: 'custom', secret }),
  });
  expect(await answer.json()).toMatchObject({ code: 0 });
}
