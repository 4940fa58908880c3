import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type KeptMock, startMock } from '../start.ts';
import { StoreError } from '../store/store-error.ts';
import { openControl } from '../testing/open-control.ts';
import { startPostgres } from '../testing/postgres-server.ts';
import { createKeptControl } from './control.ts';

async function start(store: string): Promise<KeptMock> {
  const mock = await startMock({ store });
  onTestFinished(() => mock.close());
  return mock;
}

test('the control of a kept mock gives promises, and so does that of its worlds by name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-control-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { control, worlds } = await start(`file:${join(folder, 'mock.db')}`);
  const { control: own } = await worlds.create({ name: 'pr-1' });
  for (const asked of [control.health(), control.tenants(), control.inbox('ci').messages(), own.clock()])
    expect(asked).toBeInstanceOf(Promise);
  await own.inbox('ci').configure({});
  expect((await own.inboxes()).inboxes).toMatchObject([{ name: 'ci' }]);
  expect((await control.inboxes()).inboxes).toEqual([]);
  await expect(control.site(999)).rejects.toThrow('999');
  expect(control.watch(() => {})).toBeTypeOf('function');
});

test('while the disk is full, what only reads goes on, as its HTTP call does', async () => {
  const { control, service } = openControl();
  const { store: _, ...alone } = service; // In a shared store, reading takes a turn, too.
  const turn = () => Promise.reject(new StoreError('the disk is full'));
  const kept = createKeptControl({ ...alone, turn });
  expect(await kept.clock()).toEqual(control.clock());
  expect(await kept.inbox('ci').messages()).toEqual(control.inbox('ci').messages());
  for (const asked of [kept.clearLimits(), kept.inbox('ci').clear()])
    await expect(asked).rejects.toMatchObject({ status: 503 });
});

test('what one mock of a world does, the control of another sees at once; without the database it rejects', {
  tags: ['nightly'],
}, async () => {
  const database = await startPostgres({ isDurable: false });
  onTestFinished(database.stop);
  const [first, second] = [await start(database.url), await start(database.url)];
  await first.control.inbox('ci').configure({});
  expect((await second.control.inboxes()).inboxes).toMatchObject([{ name: 'ci' }]);
  await fetch(`${first.baseUrl}/tenant/sites`);
  expect((await second.control.requests()).requests).toMatchObject([{ path: '/api/v1/tenant/sites' }]);
  await second.control.setFaults(['no-trace-id-on-404']);
  expect(await first.control.faults()).toMatchObject({ on: ['no-trace-id-on-404'] });
  await database.kill();
  await expect(first.control.inboxes()).rejects.toMatchObject({ status: 503 });
  expect((await first.control.health()).store?.problem).toContain('nothing listens there');
});
