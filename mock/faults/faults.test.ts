// How faults are turned on and off; what each of them does is shown by scripts/prove/kill-matrix.test.ts.
import { expect, test } from 'vitest';
import { defaultSteps } from '../server/create-core.ts';
import { MockError, startMock } from '../start.ts';
import { openControl } from '../testing/open-control.ts';
import { openMock, openReceiver, subscriptionRequest } from '../testing/open-mock.ts';
import { faults } from './faults.ts';

test('every fault has a unique id of words and hyphens, and a unique title', () => {
  for (const part of ['id', 'title'] as const)
    expect(new Set(faults.map((fault) => fault[part])).size).toBe(faults.length);
  expect(faults.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(id))).toEqual([]);
});

test('every title is a sentence, which may begin with the name of an event', () => {
  expect(faults.filter(({ title }) => !/^([A-Z]|[a-z]+\.[a-z]+ ).*[^.]\.$/.test(title))).toEqual([]);
});

test('a fault is turned on and off while the mock runs, which takes its own steps otherwise', async () => {
  const { service, perform, harbourKey } = openMock();
  const traceOf404 = async () => (await perform('getSite', { siteID: 999 }, harbourKey)).envelope.trace_id;
  expect([service.steps, service.faults.on()]).toEqual([defaultSteps, []]);
  await service.faults.set(['no-trace-id-on-404']);
  expect(await traceOf404()).toBeUndefined();
  expect(service.journal.entries().at(-1)?.exchange.answer?.body).not.toContain('trace_id');
  await service.faults.set([]);
  expect(await traceOf404()).toMatch(/^[0-9a-f]{16}$/);
  expect(service.steps).toBe(defaultSteps);
});

test('a fault that is on from the beginning changes nothing else', async () => {
  const { perform, harbourKey } = openMock(undefined, { faults: ['no-trace-id-on-404'] });
  const { status, envelope } = await perform('getSite', { siteID: 101 }, harbourKey);
  expect([status, Object.keys(envelope)]).toEqual([200, ['code', 'message', 'data', 'trace_id']]);
});

test('several faults wrap one another in the order of the table', async () => {
  const ids = ['data-null-after-test', 'no-trace-id-on-404', 'total-one-short'];
  const { service, perform, harbourKey } = openMock(undefined, { faults: ids });
  expect((await perform('getSite', { siteID: 999 }, harbourKey)).envelope.trace_id).toBeUndefined();
  expect(service.faults.on()).toEqual(['no-trace-id-on-404', 'data-null-after-test', 'total-one-short']);
  expect((await perform('listSites', {}, harbourKey)).envelope.data).toMatchObject({ total: 1 });
});

test('a mock with a fault and variations has both', async () => {
  const mock = openMock(undefined, { faults: ['no-trace-id-on-404'], variations: ['extra-fields'] });
  const { envelope } = await mock.perform('getSite', { siteID: 999 }, mock.harbourKey);
  expect(envelope.trace_id).toBeUndefined();
  expect(Object.keys(envelope).length).toBeGreaterThan(2);
});

test('random choices are the same for the same seed, and differ for another', async () => {
  const namedBy = async (seed: number) => {
    const mock = openMock(undefined, { seed, faults: ['some-pushes-without-event-header'] });
    const { url } = await openReceiver(() => ({ status: 200 }));
    const request = { url, secret: 's', events: ['content.update'] };
    await mock.perform('createSubscription', subscriptionRequest(request), mock.harbourKey);
    for (let count = 0; count < 24; count++)
      mock.control.causeEvent({ event: 'content.update', site_id: 101 });
    await mock.control.drain();
    await mock.app.close();
    const { deliveries } = mock.control.deliveries();
    return deliveries.map(({ attempts }) => 'X-Webhook-Event' in (attempts[0]?.request_headers ?? {}));
  };
  const [one, again, other] = [await namedBy(1), await namedBy(1), await namedBy(2)];
  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
  expect(one.filter((isNamed) => !isNamed).length).toSatisfy((count: number) => count > 0 && count < 16);
});

const unknown =
  'there is no fault "third-retry-mising"; did you mean "third-retry-missing"? (`sitepub list faults` shows all)';

test('an unknown fault is reported with the nearest known one, and changes nothing', async () => {
  const { service, call } = openControl(undefined, { faults: ['no-trace-id-on-404'] });
  await expect(service.faults.set(['third-retry-mising'])).rejects.toThrow(unknown);
  const answer = await call('PUT /faults', { on: ['fourth-retry', 'third-retry-mising'] });
  expect([answer.status, answer.body.error]).toEqual([400, `PUT /_mock/faults: ${unknown}`]);
  expect(service.faults.on()).toEqual(['no-trace-id-on-404']);
});

test('a mock does not start with an unknown fault', async () => {
  const refused = startMock({ faults: ['third-retry-mising'] });
  await expect(refused).rejects.toBeInstanceOf(MockError);
  await expect(refused).rejects.toThrow(unknown);
});
