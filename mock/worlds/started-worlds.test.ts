// Worlds by name of a mock in the same process.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type StartOptions, startMock } from '../start.ts';
import type { NamedNote } from './started-worlds.ts';

async function start(options: StartOptions = {}) {
  const mock = await startMock({ clock: 'manual', ...options });
  onTestFinished(() => mock.close());
  return mock;
}

test('is created with what its name, prefix and control have in common with a mock', async () => {
  const mock = await start({ seed: 3 });
  const world = await mock.worlds.create({ name: 'worker-1', clock: 'real', controlToken: true });
  expect(world).toMatchObject({
    name: 'worker-1',
    baseUrl: mock.baseUrl.replace('/api/v1', '/w/worker-1/api/v1'),
    controlUrl: mock.controlUrl.replace('/_mock', '/w/worker-1/_mock'),
    controlToken: expect.stringMatching(/^[0-9a-f]{48}$/),
    tenants: mock.tenants,
  });
  expect(world.control.clock().mode).toBe('real');
  expect(world.control.inbox('ci').url).toBe(`${world.controlUrl}/inbox/ci`);
  await world.end();
  expect(mock.worlds.list().map(({ name }) => name)).toEqual(['main']);
  // Another one of its name is left alone.
  await mock.worlds.create({ name: 'worker-1' });
  await world.end();
  expect(mock.worlds.list()).toHaveLength(2);
});

test('is refused as a mock would be', async () => {
  const mock = await start();
  await expect(mock.worlds.create({ name: 'a', variations: ['x'] })).rejects.toThrow(
    'there is no variation "x"',
  );
  await expect(mock.worlds.create({ name: 'a', profile: 'nowhere.yaml' })).rejects.toThrow("can't be read");
  await expect(mock.worlds.create({ name: 'a', expiresIn: 'soon' })).rejects.toThrow('give a duration');
  await expect(mock.worlds.create({ name: 'ä' })).rejects.toThrow(
    '"ä" can\'t name a world; a name has 1 to 63',
  );
  const both = [mock.worlds.create({ name: 'a' }), mock.worlds.create({ name: 'a' })];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await expect(mock.worlds.end('b')).rejects.toThrow('there is no world "b"; POST /_mock/worlds makes one');
});

test('what happens in all worlds is told, with the name of each but main', async () => {
  const mock = await start();
  const early = await mock.worlds.create({ name: 'early' });
  const told: NamedNote[] = [];
  const end = mock.worlds.watch((notes) => told.push(...notes));
  const late = await mock.worlds.create({ name: 'late' });
  for (const { control } of [mock, early, late]) await control.advance('PT1S');
  await nextTurn();
  await early.end();
  await fetch(`${early.baseUrl}/tenant/sites`);
  await nextTurn();
  end();
  await late.control.advance('PT1S');
  const now = '2026-01-01T00:00:01.000Z';
  expect(told).toEqual([
    { type: 'world', at: '2026-01-01T00:00:00.000Z', world: 'late', change: 'begun' },
    { type: 'clock', mode: 'manual', now },
    { type: 'clock', mode: 'manual', now, world: 'early' },
    { type: 'clock', mode: 'manual', now, world: 'late' },
    { type: 'world', at: now, world: 'early', change: 'ended' },
    expect.objectContaining({
      type: 'request',
      path: '/w/early/api/v1/tenant/sites',
      status: 404,
      refusal: expect.stringMatching(/^there is no world "early": it has ended at /),
    }),
  ]);
});

test('a mock that is closed ends its worlds', async () => {
  const mock = await startMock({ clock: 'manual' });
  const world = await mock.worlds.create({ name: 'a', expiresIn: 'PT1H' });
  const stream = await fetch(`${world.controlUrl}/stream`);
  await mock.close();
  expect(await stream.text()).toMatch(/^: listening/);
  await expect(mock.worlds.create({ name: 'b' })).rejects.toThrow('the mock is ending');
});
