import { describe, expect, onTestFinished, test } from 'vitest';
import type { KeptMock, KeptOptions } from '../start.ts';
import { makeSchema } from '../testing/postgres-server.ts';
import { databaseOfTests } from '../testing/replicas.ts';
import { hook, logIn, send, startTestMock } from '../testing/started-mock.ts';

// What several mocks answer, keep and push is in the tests of mock/store/replicas/ and in scripts/commands/replicas.test.ts.
describe('several mocks on one world', { tags: ['nightly'] }, () => {
  const database = databaseOfTests();

  /** Three mocks in a schema of its own for each test. */
  async function open(options: Partial<KeptOptions> = {}): Promise<[KeptMock, KeptMock, KeptMock]> {
    const start = { store: await makeSchema(database), ...options };
    return [await startTestMock(start), await startTestMock(start), await startTestMock(start)];
  }

  async function control<View>({ controlUrl }: KeptMock, line: string, body?: object): Promise<View> {
    const [method = '', path = ''] = line.split(' ');
    return (await send<View>(controlUrl + path, { method, body })).body;
  }

  async function traceOf({ baseUrl }: KeptMock, path: string): Promise<string> {
    return (await send<{ trace_id: string }>(baseUrl + path)).body.trace_id;
  }

  test('the journal has the last thousand, and says how many went', async () => {
    const [first, second] = await open();
    for (let round = 0; round < 13; round++)
      await Promise.all(Array.from({ length: 100 }, () => traceOf(round % 2 ? second : first, '/nowhere')));
    for (const mock of [first, second]) {
      const { total, evicted } = await control<{ total: number; evicted: number }>(
        mock,
        'GET /requests?limit=1',
      );
      expect(total).toBeGreaterThanOrEqual(1000);
      expect(total).toBeLessThanOrEqual(1200);
      expect(total + evicted).toBe(1300);
    }
  });

  test('whoever listens hears what happens to all of them', async () => {
    const [first, second] = await open({ clock: 'manual' });
    const listening = await fetch(`${first.controlUrl}/stream`);
    const heard: string[] = [];
    const reader = listening.body?.pipeThrough(new TextDecoderStream()).getReader();
    onTestFinished(() => reader?.cancel());
    const reading = (async () => {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        heard.push(...part.value.split('\n').filter((line) => line.startsWith('event: ')));
    })();
    reading.catch(() => {});
    const token = await logIn(second);
    const sites = `${second.baseUrl}/tenant/sites/101`;
    await send(`${sites}/webhooks`, { token, body: hook(`${second.controlUrl}/inbox/ci`) });
    await send(`${sites}/publish`, { token, body: { note: 'a' } });
    await control(second, 'POST /drain');
    await control(second, 'POST /clock', { advance: 'PT1H' });
    await expect
      .poll(() => [...new Set(heard)].sort(), { timeout: 5000 })
      .toEqual(['event: clock', 'event: delivery', 'event: message', 'event: request']);
    // A login, a subscription and a publish.
    expect(heard.filter((line) => line === 'event: request')).toHaveLength(3);
  });

  test('two that start at the same time begin one world, and another seed is refused', async () => {
    const store = await makeSchema(database);
    const [first, second] = await Promise.all([startTestMock({ store }), startTestMock({ store })]);
    expect(second.tenants).toEqual(first.tenants);
    const token = await logIn(first);
    expect((await send(`${second.baseUrl}/tenant/sites`, { token })).status).toBe(200);
    await expect(startTestMock({ store, seed: 2 })).rejects.toThrow(
      /keeps a world that began with another seed, 1;/,
    );
  });

  const counting = 'trace-id-after-a-hundred-answers-again';

  test('a fault that one turns on, all have, with what it remembers', async () => {
    const mocks = await open();
    const [first, second, third] = mocks;
    const traces = async () => {
      const found = [];
      for (const mock of mocks) found.push(await traceOf(mock, '/tenant/sites'));
      return found;
    };
    expect(await control(first, 'PUT /faults', { on: [counting] })).toMatchObject({ on: [counting] });
    expect(await traces()).toEqual(['trace-1', 'trace-2', 'trace-3']);
    expect(await control(second, 'GET /faults')).toMatchObject({ on: [counting] });
    await control(third, 'POST /reset');
    expect(await traces()).toEqual(['trace-1', 'trace-2', 'trace-3']);
    await control(second, 'PUT /faults', { on: [] });
    expect((await traces()).filter((trace) => trace.startsWith('trace-'))).toEqual([]);
    expect(await control(first, 'GET /faults')).toMatchObject({ on: [] });
  });

  test('one that joins has the faults that are on, unless it is given others', async () => {
    const store = await makeSchema(database);
    const first = await startTestMock({ store, faults: [counting] });
    const traces = [await traceOf(first, '/tenant/sites')];
    for (const options of [{ faults: [counting] }, {}])
      traces.push(await traceOf(await startTestMock({ store, ...options }), '/tenant/sites'));
    expect(traces).toEqual(['trace-1', 'trace-2', 'trace-3']);
    await startTestMock({ store, faults: ['no-trace-id-on-404'] });
    expect(await control(first, 'GET /faults')).toMatchObject({ on: ['no-trace-id-on-404'] });
  });
});
