import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { startMock } from '../start.ts';
import { openControl } from '../testing/open-control.ts';
import { createSharedBytes } from './shared-bytes.ts';

const message = Buffer.alloc(100_000, 'x');

function fill({ app }: Pick<ReturnType<typeof openControl>, 'app'>, count: number) {
  const sent = Array.from({ length: count }, () =>
    app.inject({ method: 'POST', url: '/_mock/inbox/ci', payload: message }),
  );
  return Promise.all(sent);
}

test('over the bound of all, the world that keeps most drops its oldest entries, and the others none', async () => {
  const shared = createSharedBytes(3_000_000);
  const [large, small] = [openControl(), openControl()];
  for (const { service } of [large, small]) shared.add(service);
  await fill(small, 5);
  await fill(large, 40);
  const kept = [large, small].map(({ control }) => control.inbox('ci').messages());
  expect(shared.bytes()).toBeLessThan(3_000_000);
  expect(shared.bytes()).toBeGreaterThan(1_000_000);
  expect(kept.map(({ dropped, received }) => [dropped > 0, received])).toEqual([
    [true, 40],
    [false, 5],
  ]);
  expect(kept[0]?.messages.at(-1)?.id).toBe(40);
  shared.remove(large.service);
  expect(shared.bytes()).toBeLessThan(700_000);
});

test('requests count too, and a world that is put in place of another', async () => {
  const shared = createSharedBytes();
  const mock = openControl();
  shared.add(mock.service);
  const before = shared.bytes();
  await mock.app.inject({
    method: 'POST',
    url: '/api/v1/auth/tenant/login',
    payload: { username: 'x'.repeat(8000), password: 'y' },
  });
  expect(shared.bytes() - before).toBeGreaterThan(8000);
  await fill(mock, 2);
  expect(shared.bytes() - before).toBeGreaterThan(200_000);
  await mock.control.reset();
  expect(shared.bytes() - before).toBeLessThan(1000);
});

test('what a world held is let go of when it has ended', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const mock = await startMock({ clock: 'manual' });
  const held: WeakRef<object>[] = [];
  for (const name of ['a', 'b']) {
    const { controlUrl, control } = await mock.worlds.create({ name, expiresIn: 'PT1H' });
    await fetch(`${controlUrl}/inbox/ci`, { method: 'POST', body: 'x' });
    await control.advance('PT1M');
    held.push(new WeakRef(control));
  }
  await mock.worlds.end('a');
  // What is on its way is done, and the registers of the engine are used anew.
  for (let round = 0; round < 20 && held[0]?.deref(); round++) {
    await sleep(20);
    collect();
  }
  expect(held.map((one) => one.deref() === undefined)).toEqual([true, false]);
  await mock.close();
});
