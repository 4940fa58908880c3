import { expect, test } from 'vitest';
import { openMock, openReceiver, subscriptionRequest, type TestMock } from '../testing/open-mock.ts';

async function logOf({ perform, harbourKey }: TestMock, values: Record<string, unknown> = {}) {
  return perform('listDeliveries', { siteID: 101, subscriptionID: 1, ...values }, harbourKey);
}

test('shows what was pushed, newest first, with every attempt', async () => {
  const receiver = await openReceiver(() => ({ status: 503, body: 'busy' }));
  const mock = openMock();
  const { perform, harbourKey, service, clock } = mock;
  await perform(
    'createSubscription',
    subscriptionRequest({ url: receiver.url, events: ['form.submit'] }),
    harbourKey,
  );
  for (const form of ['first', 'second']) await perform('submitForm', { siteID: 101, form, fields: {} });
  await service.scheduler.advance(clock.time + 60_000);
  const { values, mismatches } = await logOf(mock);
  const attempt = { status: 503, answer: 'busy', duration_ms: 0 };
  expect([mismatches, values.total, (values.list as object[])[1]]).toEqual([
    [],
    2,
    {
      id: 1,
      event: 'form.submit',
      state: 'pending',
      created_at: '2026-01-02T03:04:05.000Z',
      next_attempt_at: '2026-01-02T03:10:05.000Z',
      attempts: [
        { ...attempt, at: '2026-01-02T03:04:05.000Z' },
        { ...attempt, at: '2026-01-02T03:05:05.000Z' },
      ],
    },
  ]);
  await mock.app.close();
  receiver.close();
});

test.each([
  [{}, 20, 25],
  [{ page: 2 }, 5, 5],
  [{ page: 3 }, 0, undefined],
  [{ page: 2, page_size: 10 }, 10, 15],
  [{ page_size: 100 }, 25, 25],
])('%j returns %i of 25, from number %s down', async (page, count, first) => {
  const mock = openMock();
  const { perform, harbourKey, service } = mock;
  await perform('createSubscription', subscriptionRequest({ events: ['form.submit'] }), harbourKey);
  await service.dispatcher.close();
  for (let number = 0; number < 25; number++)
    await perform('submitForm', { siteID: 101, form: 'f', fields: {} });
  const { list, total } = (await logOf(mock, page)).values as { list: { id: number }[]; total: number };
  expect([list.length, list[0]?.id, total]).toEqual([count, first, 25]);
});

test.each(['0', '-1', 'x', '1.5'])('there is no page %s', async (page) => {
  const mock = openMock();
  await mock.perform('createSubscription', subscriptionRequest(), mock.harbourKey);
  const { envelope } = await logOf(mock, { page });
  expect([envelope.code, envelope.message]).toEqual([
    40002,
    expect.stringContaining('the query parameter "page": expected'),
  ]);
});
