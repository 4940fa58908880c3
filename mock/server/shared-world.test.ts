import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type KeptMock, type StartOptions, startMock } from '../start.ts';
import { makeSchema, type PostgresServer, startPostgres } from '../testing/postgres-server.ts';

describe('several mocks on one world', { tags: ['nightly'] }, () => {
  let database: PostgresServer;
  beforeAll(async () => {
    database = await startPostgres({ isDurable: false });
  });
  afterAll(() => database.stop());

  /** In a schema of its own for each test. */
  async function open(amount: number, options: StartOptions = {}): Promise<KeptMock[]> {
    const store = await makeSchema(database);
    const mocks: KeptMock[] = [];
    for (let index = 0; index < amount; index++) mocks.push(await startMock({ store, ...options }));
    onTestFinished(async () => {
      for (const mock of mocks) await mock.close();
    });
    return mocks;
  }

  async function call(mock: KeptMock | undefined, path: string, { body, token }: Partial<Request> = {}) {
    const answer = await fetch(`${mock?.baseUrl}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as { data: Record<string, unknown> } };
  }

  interface Request {
    body: object;
    token: string;
  }

  async function control<View>(mock: KeptMock | undefined, line: string, body?: object): Promise<View> {
    const [method = '', path = ''] = line.split(' ');
    const answer = await fetch(`${mock?.controlUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as View;
  }

  async function logIn(mock: KeptMock | undefined) {
    const body = { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' };
    return call(mock, '/auth/tenant/login', { body });
  }

  test('a limit is exact, versions have no gap, and each push is sent once', async () => {
    const [first, second, third] = await open(3);
    const token = String((await logIn(first)).body.data.token);
    const inbox = `${second?.controlUrl}/inbox/ci`;
    const subscription = { url: inbox, events: ['publish.complete'], channel: 'custom' };
    await call(second, '/tenant/sites/101/webhooks', { body: subscription, token });
    const published = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        call([first, second, third][index % 3], '/tenant/sites/101/publish', {
          body: { note: `n${index}` },
          token,
        }),
      ),
    );
    const versions = published.filter(({ status }) => status === 200).map(({ body }) => body.data.version);
    expect(versions.sort((one, other) => Number(one) - Number(other))).toEqual([
      8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
    ]);
    await control(third, 'POST /drain');
    const { deliveries } = await control<{ deliveries: { state: string; attempts: unknown[] }[] }>(
      first,
      'GET /deliveries',
    );
    expect(deliveries.map(({ state, attempts }) => [state, attempts.length])).toEqual(
      Array.from({ length: 10 }, () => ['delivered', 1]),
    );
    expect(await control(first, 'GET /inbox/ci/messages')).toMatchObject({ received: 10 });
  });

  test('what one does, another knows at once: sessions, the clock and resets', async () => {
    const [first, second] = await open(2, { clock: 'manual' });
    const token = String((await logIn(first)).body.data.token);
    expect((await call(second, '/tenant/sites', { token })).status).toBe(200);
    await control(first, 'POST /clock', { advance: 'PT3H' });
    expect((await call(second, '/tenant/sites', { token })).status).toBe(401);
    const [one, other] = await Promise.all([first, second].map((mock) => control(mock, 'GET /clock')));
    expect(one).toEqual(other);
    await control(second, 'POST /reset');
    expect(await control(first, 'GET /health')).toMatchObject({ store: { engine: 'PostgreSQL' } });
    expect((await logIn(first)).status).toBe(200);
  });

  test('a retry is made by whoever is there, and a message to an inbox is read everywhere', async () => {
    const [first, second] = await open(2, { clock: 'manual' });
    const token = String((await logIn(first)).body.data.token);
    await control(first, 'PUT /inbox/ci', { respond: [503, 200] });
    const subscription = {
      url: `${second?.controlUrl}/inbox/ci`,
      events: ['publish.complete'],
      channel: 'custom',
    };
    await call(first, '/tenant/sites/101/webhooks', { body: subscription, token });
    await call(first, '/tenant/sites/101/publish', { body: { note: 'a' }, token });
    await control(first, 'POST /drain');
    await first?.close();
    await control(second, 'POST /clock', { advance: 'PT1M' });
    expect(await control(second, 'GET /deliveries/1')).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 503 }, { status: 200, cause: 'retry' }],
    });
    expect(await control(second, 'GET /inbox/ci/messages')).toMatchObject({ received: 2 });
  });

  test('the journal is one, numbered through, and cleared for all', async () => {
    const [first, second] = await open(2);
    interface Requests {
      requests: { id: number; path: string; status: number; response_body?: unknown }[];
      evicted: number;
    }
    for (let count = 0; count < 4; count++) await logIn(count % 2 ? second : first);
    await call(second, '/nowhere');
    const [one, other] = await Promise.all(
      [first, second].map((mock) => control<Requests>(mock, 'GET /requests')),
    );
    expect(one).toEqual(other);
    expect(one?.requests.map(({ id, path, status }) => [id, path, status])).toEqual([
      ...[1, 2, 3, 4].map((id) => [id, '/api/v1/auth/tenant/login', 200]),
      [5, '/api/v1/nowhere', 404],
    ]);
    expect(await control(first, 'GET /requests/2')).toEqual(other?.requests[1]);
    expect(await control<Requests>(first, 'DELETE /requests')).toMatchObject({ requests: [] });
    await logIn(first);
    const { requests, evicted } = await control<Requests>(second, 'GET /requests');
    expect(requests.map(({ id }) => id)).toEqual([6]);
    expect(evicted).toBe(0);
  });

  test('no two answers have the same trace id, also where no operation is meant', async () => {
    const mocks = await open(3);
    const traces = [];
    for (let count = 0; count < 9; count++) {
      const { body } = await call(mocks[count % 3], '/nowhere');
      traces.push((body as unknown as { trace_id: string }).trace_id);
    }
    expect(new Set(traces).size).toBe(9);
  });

  test('the journal has the last thousand, and says how many went', async () => {
    const [first, second] = await open(2);
    for (let round = 0; round < 13; round++)
      await Promise.all(Array.from({ length: 100 }, () => call(round % 2 ? second : first, '/nowhere')));
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
    const [first, second] = await open(2, { clock: 'manual' });
    const token = String((await logIn(second)).body.data.token);
    const listening = await fetch(`${first?.controlUrl}/stream`);
    const heard: string[] = [];
    const reader = listening.body?.pipeThrough(new TextDecoderStream()).getReader();
    onTestFinished(() => reader?.cancel());
    const reading = (async () => {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        heard.push(...part.value.split('\n').filter((line) => line.startsWith('event: ')));
    })();
    reading.catch(() => {});
    const subscription = {
      url: `${second?.controlUrl}/inbox/ci`,
      events: ['publish.complete'],
      channel: 'custom',
    };
    await call(second, '/tenant/sites/101/webhooks', { body: subscription, token });
    await call(second, '/tenant/sites/101/publish', { body: { note: 'a' }, token });
    await control(second, 'POST /drain');
    await control(second, 'POST /clock', { advance: 'PT1H' });
    await expect
      .poll(() => [...new Set(heard)].sort(), { timeout: 5000 })
      .toEqual(['event: clock', 'event: delivery', 'event: message', 'event: request']);
    expect(heard.filter((line) => line === 'event: request')).toHaveLength(2);
  });

  test('two that start at the same time begin one world, and another seed is refused', async () => {
    const store = await makeSchema(database);
    const [first, second] = await Promise.all([startMock({ store }), startMock({ store })]);
    onTestFinished(async () => {
      await first.close();
      await second.close();
    });
    expect(second.tenants).toEqual(first.tenants);
    const token = String((await logIn(first)).body.data.token);
    expect((await call(second, '/tenant/sites', { token })).status).toBe(200);
    await expect(startMock({ store, seed: 2 })).rejects.toThrow(
      /keeps a world that began with another seed, 1;/,
    );
  });

  test('a fault that one turns on, all have, with what it remembers', async () => {
    const [first, second, third] = await open(3);
    interface Faults {
      on: string[];
    }
    const traces = async () => {
      const answers = [];
      for (const mock of [first, second, third]) answers.push(await call(mock, '/tenant/sites'));
      return answers.map(({ body }) => (body as unknown as { trace_id: string }).trace_id);
    };
    const counting = ['trace-id-after-a-hundred-answers-again'];
    expect(await control<Faults>(first, 'PUT /faults', { on: counting })).toMatchObject({ on: counting });
    expect(await traces()).toEqual(['trace-1', 'trace-2', 'trace-3']);
    expect(await control<Faults>(second, 'GET /faults')).toMatchObject({ on: counting });
    await control(third, 'POST /reset');
    expect(await traces()).toEqual(['trace-1', 'trace-2', 'trace-3']);
    await control(second, 'PUT /faults', { on: [] });
    expect((await traces()).filter((trace) => trace.startsWith('trace-'))).toEqual([]);
    expect(await control<Faults>(first, 'GET /faults')).toMatchObject({ on: [] });
  });

  test('one that joins has the faults that are on, unless it is given others', async () => {
    const store = await makeSchema(database);
    const start = async (faults?: string[]) => {
      const mock = await startMock({ store, ...(faults && { faults }) });
      onTestFinished(() => mock.close());
      return mock;
    };
    const counting = 'trace-id-after-a-hundred-answers-again';
    const first = await start([counting]);
    await call(first, '/tenant/sites');
    const same = await start([counting]);
    const unsaid = await start();
    for (const [mock, trace] of [
      [same, 'trace-2'],
      [unsaid, 'trace-3'],
    ] as const)
      expect((await call(mock, '/tenant/sites')).body).toMatchObject({ trace_id: trace });
    await start(['no-trace-id-on-404']);
    expect(await control(first, 'GET /faults')).toMatchObject({ on: ['no-trace-id-on-404'] });
  });
});
