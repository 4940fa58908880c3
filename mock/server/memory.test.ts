import { expect, test } from 'vitest';
import type { HealthView, MessagesView } from '../control/control-views.ts';
import { openControl } from '../testing/open-control.ts';
import { openMock } from '../testing/open-mock.ts';

test('of all inboxes, 64 MB of messages are kept, and health says so', async () => {
  const { app, call } = openControl();
  const payload = Buffer.alloc(1_048_576, 'x');
  for (let count = 1; count <= 70; count++)
    await app.inject({ method: 'POST', url: `/_mock/inbox/box-${count % 2}`, payload });
  const { kept } = (await call<HealthView>('GET /health')).body;
  expect(kept.inboxes.bound).toBe(64_000_000);
  expect(kept.inboxes.bytes).toBeGreaterThan(55_000_000);
  expect(kept.inboxes.bytes).toBeLessThan(64_000_000);
  const boxes = [0, 1].map(
    async (name) => (await call<MessagesView>(`GET /inbox/box-${name}/messages`)).body,
  );
  const [even, odd] = await Promise.all(boxes);
  expect([even?.received, odd?.received]).toEqual([35, 35]);
  for (const { messages = [], dropped } of [even, odd].filter((box) => box !== undefined)) {
    expect(messages.at(-1)?.id).toBe(35);
    expect(messages[0]?.id).toBe(dropped + 1);
    expect(dropped).toBeGreaterThan(2);
  }
  await call('DELETE /inbox/box-0');
  const after = (await call<HealthView>('GET /health')).body.kept.inboxes.bytes;
  expect(after / kept.inboxes.bytes).toBeCloseTo(0.5, 1);
});

test('a long message is kept as it came, whatever its characters', async () => {
  const { app, call } = openControl();
  const payload = `\ufeff${'漢é😀x'.repeat(100_000)}`;
  await app.inject({ method: 'POST', url: '/_mock/inbox/ci', payload });
  expect((await call<MessagesView>('GET /inbox/ci/messages')).body.messages[0]?.body).toBe(payload);
});

test('of sites and their publications, subscriptions and repetitions 16 MB are kept', async () => {
  const { perform, harbourKey, control } = openMock();
  for (let count = 0; count < 12; count++)
    await perform('createSite', { name: `${count}${'x'.repeat(1_000_000)}` }, harbourKey);
  const { records } = control.health().kept;
  expect([records.bound, records.bytes < records.bound, records.bytes > 12_000_000]).toEqual([
    16_000_000,
    true,
    true,
  ]);
});

test.each([
  ['a body of 50,000 values', 50_000, 200],
  ['one value more', 50_001, 413],
])('%s', async (_case, count, want) => {
  const { perform } = openMock();
  const fields = { list: Array.from({ length: count - 2 }, () => 1) };
  const { status, envelope } = await perform('submitForm', { siteID: 101, form: 'f', fields });
  expect([status, envelope.message]).toEqual([
    want,
    want === 200 ? 'success' : 'the body is larger than 50000 values',
  ]);
});
