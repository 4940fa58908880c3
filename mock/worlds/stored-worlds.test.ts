import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import type { KeptMock } from '../start.ts';
import { createWorld } from '../testing/open-control.ts';
import { openReceiver } from '../testing/open-mock.ts';
import { makeSchema } from '../testing/postgres-server.ts';
import { databaseOfTests, openSchema } from '../testing/replicas.ts';
import { hook, logIn, makeFolder, send, startTestMock } from '../testing/started-mock.ts';
import { pathOfTest } from '../testing/test-store.ts';

function at({ baseUrl }: KeptMock, url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, new URL(baseUrl).origin);
}

function describeStore(makeStore: () => Promise<string> | string): void {
  test('persists a world with its profile, clock, token and data', async () => {
    const store = await makeStore();
    const first = await startTestMock({ store });
    const spoken = { profile: 'always-200-camel-case', variations: ['extra-fields'] };
    const chosen = { name: 'pr-1', control_token: true, clock: 'manual', seed: 7, ...spoken };
    const world = await createWorld(first, chosen);
    const token = await logIn({ baseUrl: world.base_url });
    const { control_token: own } = world;
    await send(`${world.control_url}/clock`, { body: { advance: 'PT1M' }, token: own });
    await first.close();
    const second = await startTestMock({ store });
    const clock = { mode: 'manual', now: '2026-01-01T00:01:00.000Z' };
    const [baseUrl, control] = [at(second, world.base_url), at(second, world.control_url)];
    const { tenants: _tenants, control_token: _token, ...listed } = world;
    expect((await send(`${second.controlUrl}/worlds`)).body.worlds).toMatchObject([
      { name: 'main' },
      { ...listed, base_url: baseUrl, control_url: control, clock },
    ]);
    expect((await send(`${baseUrl}/tenant/sites`, { token })).status).toBe(200);
    expect((await send(`${control}/clock`)).status).toBe(401);
    expect((await send(`${control}/clock`, { token: own })).body).toEqual(clock);
    expect((await send(`${second.controlUrl}/worlds/pr-1`, { method: 'DELETE' })).status).toBe(200);
    expect((await send(`${second.controlUrl}/worlds`)).body.worlds).toMatchObject([{ name: 'main' }]);
    expect((await send(`${baseUrl}/tenant/sites`, { token })).status).toBe(404);
  });

  test('pages the list of worlds, in both orders', async () => {
    const mock = await startTestMock({ store: await makeStore() });
    for (const name of ['a', 'b', 'c', 'd']) await createWorld(mock, { name, seed: name.charCodeAt(0) });
    const read = async (query: string) => {
      const names: string[][] = [];
      for (let cursor = ''; ; ) {
        const { body } = await send<Schemas['Worlds']>(`${mock.controlUrl}/worlds?${query}${cursor}`);
        expect(body.total).toBe(5);
        names.push(body.worlds.map(({ name, seed }) => `${name} ${seed}`));
        if (body.next === undefined) return names;
        cursor = `&cursor=${body.next}`;
      }
    };
    expect(await read('limit=2')).toEqual([['main 1', 'a 97'], ['b 98', 'c 99'], ['d 100']]);
    expect(await read('limit=2&order=newest')).toEqual([['d 100', 'c 99'], ['b 98', 'a 97'], ['main 1']]);
    expect(await read('limit=5')).toEqual([['main 1', 'a 97', 'b 98', 'c 99', 'd 100']]);
  });

  test('does not look for an invalid name in the store', async () => {
    const logged: string[] = [];
    const mock = await startTestMock({ store: await makeStore(), log: (line) => logged.push(line) });
    const { origin } = new URL(mock.baseUrl);
    for (const name of ['%00', 'a%00b', '%ff', 'x'.repeat(5000)]) {
      expect((await send(`${origin}/w/${name}/api/v1/tenant/sites`)).status).toBe(404);
      expect((await send(`${origin}/w/${name}/_mock/clock`)).status).toBe(404);
    }
    expect((await send(`${mock.controlUrl}/worlds/%00`, { method: 'DELETE' })).status).toBe(404);
    expect((await send(`${mock.controlUrl}/ready`)).status).toBe(200);
    expect(logged.filter((line) => line.includes('store'))).toEqual([]);
  });

  test('persists the faults that were chosen last', async () => {
    const store = await makeStore();
    const first = await startTestMock({ store, faults: ['message-ok-on-refresh'] });
    const made = await createWorld(first, { name: 'a', faults: ['no-trace-id-on-404'] });
    const changed = await createWorld(first, { name: 'b', faults: ['no-trace-id-on-404'] });
    const plain = await createWorld(first, { name: 'c' });
    const on = ['third-retry-missing'];
    await send(`${changed.control_url}/faults`, { method: 'PUT', body: { on } });
    await first.close();
    const second = await startTestMock({ store });
    const faultsIn = async ({ control_url: url }: { control_url: string }) =>
      (await send(`${at(second, url)}/faults`)).body.on;
    const wanted = [['no-trace-id-on-404'], on, ['message-ok-on-refresh']];
    expect(await Promise.all([made, changed, plain].map(faultsIn))).toEqual(wanted);
    const { body } = await send<object>(`${at(second, made.base_url)}/nowhere`);
    expect(Object.keys(body)).toEqual(['code', 'message']);
  });

  test('removes a world that expired between starts, and frees its name', async () => {
    const store = await makeStore();
    const first = await startTestMock({ store });
    await createWorld(first, { name: 'short', expires_in: 'PT0.3S' });
    await createWorld(first, { name: 'long', expires_in: 'PT1H' });
    await first.close();
    const second = await startTestMock({ store });
    await expect
      .poll(async () => (await send(`${second.controlUrl}/worlds`)).body, { timeout: 5000 })
      .toMatchObject({ worlds: [{ name: 'main' }, { name: 'long', expires_at: expect.any(String) }] });
    const { origin } = new URL(second.baseUrl);
    expect((await send(`${origin}/w/short/_mock/clock`)).status).toBe(404);
    await createWorld(second, { name: 'short' });
    expect((await send(`${origin}/w/short/_mock/clock`)).status).toBe(200);
  });

  test('resets to the given saved world after a restart', async () => {
    const store = await makeStore();
    const first = await startTestMock({ store });
    const saved = await first.control.world();
    const [user] = Object.values(saved.users);
    const changed = { ...saved, clock: { mode: 'manual', time: 0 }, users: { renamed: user } };
    const world = await createWorld(first, { name: 'saved', world: changed });
    await first.close();
    const second = await startTestMock({ store });
    const control = at(second, world.control_url);
    expect((await send(`${control}/reset`, { method: 'POST' })).status).toBe(200);
    const { body } = await send<{ users: object }>(`${control}/world`);
    expect(Object.keys(body.users)).toEqual(['renamed']);
    expect((await send(`${control}/clock`)).body.mode).toBe('manual');
  });

  test('continues the pushes of a world without any call', async () => {
    const store = await makeStore();
    const receiver = await openReceiver(() => ({ status: 503 }));
    const first = await startTestMock({ store });
    const world = await createWorld(first, { name: 'late' });
    const site = `${world.base_url}/tenant/sites/101`;
    const token = await logIn({ baseUrl: world.base_url });
    await send(`${site}/webhooks`, { body: hook(receiver.url), token });
    await send(`${site}/publish`, { body: { note: 'a' }, token });
    await expect.poll(() => receiver.received.length, { timeout: 5000 }).toBe(1);
    await send(`${world.control_url}/clock`, { body: { advance: 'PT59S' } });
    await first.close();
    await startTestMock({ store });
    await expect.poll(() => receiver.received.length, { timeout: 10_000, interval: 100 }).toBe(2);
  });
}

test('a file contains no control token in plain text', async () => {
  const folder = makeFolder();
  const controlToken = 'token-of-the-mock';
  const mock = await startTestMock({ store: `file:${join(folder, 'mock.db')}`, controlToken });
  const world = await createWorld(mock, { name: 'own', control_token: true }, controlToken);
  const { control_token: token, control_url: control } = world;
  expect((await send(`${control}/clock`, { token })).status).toBe(200);
  const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  await mock.close();
  const stored = bytes.join('') + readFileSync(join(folder, 'mock.db'), 'latin1');
  expect(token).toMatch(/^[0-9a-f]{48}$/);
  expect(stored).toContain('own{"');
  // The file is too long for a failure message.
  expect([token ?? '', controlToken].filter((secret) => stored.includes(secret))).toEqual([]);
});

describe('in a file', () => {
  describeStore(() => `file:${pathOfTest()}`);
});

describe('in a database', { tags: ['nightly'] }, () => {
  const database = databaseOfTests();
  describeStore(() => makeSchema(database));

  async function startTwo() {
    const { url: store, ask } = await openSchema(database);
    return { ask, first: await startTestMock({ store }), second: await startTestMock({ store }) };
  }

  test('mocks share new and ended worlds at once', async () => {
    const { ask, first, second } = await startTwo();
    const world = await createWorld(first, { name: 'pr-2', seed: 3 });
    const token = await logIn({ baseUrl: at(second, world.base_url) });
    expect((await send(`${world.base_url}/tenant/sites`, { token })).status).toBe(200);
    const again = { body: { name: 'pr-2' } };
    expect((await send(`${second.controlUrl}/worlds`, again)).status).toBe(409);
    const requests = await Promise.all(
      [first, second].map((mock) => send<{ total: number }>(`${at(mock, world.control_url)}/requests`)),
    );
    expect(requests.map(({ body }) => body.total)).toEqual([2, 2]);
    await send(`${second.controlUrl}/worlds/pr-2`, { method: 'DELETE' });
    const [call, control] = await Promise.all([
      send(`${world.base_url}/tenant/sites`, { token }),
      send(`${world.control_url}/clock`),
    ]);
    expect(call).toMatchObject({ status: 404, body: { code: 40403, trace_id: expect.any(String) } });
    expect(control).toMatchObject({ status: 404, body: { error: expect.stringContaining('ended') } });
    expect((await send(`${first.controlUrl}/worlds/pr-2`, { method: 'DELETE' })).status).toBe(404);
    const gone = 'where world not in (select id from sitepub_world)';
    for (const table of ['sitepub_entry', 'sitepub_exchange'])
      expect(await ask(`select 1 from ${table} ${gone}`)).toEqual([]);
  });

  test('lists worlds without reading their setup or data', async () => {
    const { ask, first: mock } = await startTwo();
    await createWorld(mock, { name: 'pr-3', seed: 4, profile: 'nested-201-uuid', control_token: true });
    await ask("update sitepub_world set setup = 'no JSON' where name = 'pr-3'");
    const wanted = { name: 'pr-3', seed: 4, profile: 'nested-201-uuid', has_control_token: true };
    const { body } = await send<Schemas['Worlds']>(`${mock.controlUrl}/worlds`);
    expect(body.worlds[1]).toMatchObject(wanted);
  });

  test('a world expires by the clock of the database, not of a mock', async () => {
    const { first: fast, second: right } = await startTwo();
    const before = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: before + 3 * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const world = await createWorld(fast, { name: 'hour', expires_in: 'PT1H' });
    const clockOf = (control: string) => send(`${control}/clock`).then(({ status }) => status);
    const seenFast = await clockOf(world.control_url);
    vi.setSystemTime(before - 3 * 3_600_000);
    const seenSlow = await clockOf(at(right, world.control_url));
    vi.useRealTimers();
    expect([seenFast, seenSlow]).toEqual([200, 200]);
    const ahead = Date.parse(world.expires_at ?? '') - before;
    expect(ahead).toBeGreaterThanOrEqual(3_599_000);
    expect(ahead).toBeLessThan(3_700_000);
    const { body } = await send<Schemas['Worlds']>(`${right.controlUrl}/worlds`);
    expect(body.worlds[1]).toMatchObject({ expires_at: world.expires_at, created_at: world.created_at });
  });

  test('creates a world once for concurrent requests', async () => {
    const { first, second } = await startTwo();
    const urls = Array(5).fill([first.controlUrl, second.controlUrl]).flat();
    const made = await Promise.all(urls.map((url) => send(`${url}/worlds`, { body: { name: 'one' } })));
    expect(made.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  });

  test('persists concurrent calls of many worlds, with separate limits', async () => {
    const { first, second } = await startTwo();
    const names = Array.from({ length: 8 }, (_, index) => `w${index}`);
    const login = { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' };
    for (const [index, name] of names.entries()) await createWorld(index % 2 ? first : second, { name });
    const logInTo = async (name: string) => {
      const urls = [first, second].map((mock) => at(mock, `http://x/w/${name}/api/v1/auth/tenant/login`));
      const calls = Array(6).fill(urls).flat();
      const answers = await Promise.all(calls.map((url) => send(url, { body: login })));
      return answers.map(({ status }) => status).sort();
    };
    const want = [...Array(10).fill(200), 429, 429];
    expect(await Promise.all(names.map(logInTo))).toEqual(names.map(() => want));
  });
});
