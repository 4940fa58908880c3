// Two versions of sitepub on one store, which differ in the format of its worlds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startMock } from '../start.ts';
import { type PostgresServer, startPostgres } from '../testing/postgres-server.ts';
import { createEmptyWorld } from '../world/world.ts';
import type { OpenOptions } from './engine.ts';
import type { FormatStep } from './rows/formats.ts';
import { openTables, openVersion } from './testing/open-version.ts';

/** The newer version knows more of each user. */
const known: FormatStep = {
  raiseHead: (head) => ({ ...(head as object), isKnown: true }),
  lowerHead(head) {
    const { isKnown: _isKnown, ...rest } = head as Record<string, unknown>;
    return rest;
  },
  raise: (entry, kind) => (kind === 2 ? { ...(entry as object), isKnown: true } : entry),
  lower(entry) {
    const { isKnown: _isKnown, ...rest } = entry as Record<string, unknown>;
    return rest;
  },
};

const [old, newer]: OpenOptions[] = [{ steps: [] }, { steps: [known] }];

test('a world in a file is rewritten to a newer format, and an older version refuses it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-versions-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const url = `file:${join(folder, 'mock.db')}`;
  const first = await openVersion(url, old ?? {});
  await first.store.turn(() => first.world.users.set('ann', { tenantId: 1, salt: '', passwordDigest: '' }));
  await first.close();
  const second = await openVersion(url, newer ?? {});
  expect(second.world.users.get('ann')).toMatchObject({ isKnown: true });
  await second.close();
  await expect(openVersion(url, old ?? {})).rejects.toThrow(
    'a world in it is of format 2, and this version of sitepub reads those up to 1; use the version that the other mocks have',
  );
  const third = await openVersion(url, newer ?? {});
  expect(third.world.users.get('ann')).toMatchObject({ isKnown: true });
});

describe('in PostgreSQL', { tags: ['nightly'] }, () => {
  let database: PostgresServer;
  beforeAll(async () => {
    database = await startPostgres({ isDurable: false });
  });
  afterAll(() => database.stop());

  async function open() {
    const { url, ask } = await openTables(database);
    const kept = async () => ({
      formats: (await ask('select format from sitepub_world order by id')).map(({ format }) => format),
      known: (
        await ask("select key from sitepub_entry where kind = 2 and value like '%isKnown%' order by key")
      ).map(({ key }) => key),
    });
    return { url, ask, kept };
  }

  test('two versions share a world in the older format, until the older one has ended', async () => {
    const { url, kept } = await open();
    const first = await openVersion(url, old ?? {});
    await first.store.turn(() => first.world.users.set('ann', { tenantId: 1, salt: '', passwordDigest: '' }));
    const second = await openVersion(url, newer ?? {});
    expect(second.world.users.get('ann')).toMatchObject({ isKnown: true });
    await second.add('bob');
    expect(await kept()).toEqual({ formats: [1], known: [] });
    await first.store.turn(() => {});
    expect(first.world.users.get('bob')).toEqual({ tenantId: 1, salt: '', passwordDigest: '' });
    await first.store.turn(() => first.world.users.set('cem', { tenantId: 1, salt: '', passwordDigest: '' }));
    await second.store.turn(() => {});
    expect(second.world.users.get('cem')).toMatchObject({ isKnown: true });
    await first.close();
    await second.store.turn(() => {});
    expect(await kept()).toEqual({ formats: [2], known: ['ann', 'bob', 'cem'] });
    const third = await openVersion(url, newer ?? {});
    expect([...third.world.users.keys()]).toEqual(['ann', 'bob', 'cem']);
    await third.add('dee');
    await second.store.turn(() => {});
    expect(second.world.users.get('dee')).toMatchObject({ isKnown: true });
  });

  test('one that comes back after others have gone on keeps nothing, and says so', async () => {
    const { url, ask, kept } = await open();
    const first = await openVersion(url, old ?? {});
    const second = await openVersion(url, newer ?? {});
    await ask("update sitepub_replica set seen_at = now() - interval '2 minutes' where format = 1");
    await second.add('ann');
    expect((await kept()).formats).toEqual([2]);
    const problem =
      /a world in it is of format 2, and this version of sitepub reads those up to 1; use the version/;
    await expect(first.add('bob')).rejects.toThrow(problem);
    expect(await first.store.check()).toMatch(problem);
    expect(await second.store.check()).toBeUndefined();
    expect((await kept()).known).toEqual(['ann']);
    await expect(openVersion(url, old ?? {})).rejects.toThrow(problem);
  });

  test('a version that is two ahead does not share, but reads', async () => {
    const { url, kept } = await open();
    const first = await openVersion(url, old ?? {});
    const twoAhead = { steps: [known, known] };
    await expect(openVersion(url, twoAhead)).rejects.toThrow(
      'mocks of format 1 use it, and this version of sitepub shares it with those of format 2 at least; end them first, or upgrade version by version',
    );
    await first.close();
    await openVersion(url, twoAhead);
    expect((await kept()).formats).toEqual([3]);
  });

  test('a world that begins is one that all can read', async () => {
    const { url, kept } = await open();
    const first = await openVersion(url, old ?? {});
    const second = await openVersion(url, newer ?? {});
    const plan = { name: 'pr-1', setup: '{}', summary: '{}', expiresInMs: undefined };
    for (const { name, of } of [
      { name: 'pr-1', of: second },
      { name: 'pr-2', of: first },
    ]) {
      const record = await of.opened.worlds.add({ ...plan, name });
      if (!record) throw new Error('no world');
      const store = (await of.opened.worlds.open(record)).keep(
        createEmptyWorld(1, first.world.clock),
        () => {},
      );
      await store.turn(() => {});
      await store.close();
    }
    expect((await kept()).formats).toEqual([1, 1, 1]);
    expect(await first.opened.worlds.find('pr-1')).toMatchObject({ clock: { mode: 'manual' } });
    const page = { cursor: undefined, limit: 10, isNewestFirst: false };
    expect(await second.opened.worlds.list(page)).toHaveLength(2);
  });

  test('a mock that meets a newer format is not ready, and answers 503', async () => {
    const { url, ask } = await open();
    const mock = await startMock({ store: url });
    onTestFinished(() => mock.close());
    const ready = () => fetch(`${mock.controlUrl}/ready`);
    expect((await ready()).status).toBe(200);
    await ask('update sitepub_world set format = 99');
    const answer = await ready();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining('is of format 99') });
    const body = JSON.stringify({ username: 'mei@harbour-cafe.example', password: 'demo-password-mei' });
    const headers = { 'content-type': 'application/json' };
    const call = await fetch(`${mock.baseUrl}/auth/tenant/login`, { method: 'POST', headers, body });
    expect(call.status).toBe(503);
    expect((await fetch(`${mock.baseUrl.replace('/api/', '/w/pr-1/api/')}/sites`)).status).toBe(404);
    expect((await fetch(`${mock.controlUrl}/live`)).status).toBe(200);
    await ask('update sitepub_world set format = 1');
    await expect.poll(async () => (await ready()).status).toBe(200);
  });
});
