// @module-tag nightly
// A commit whose answer is lost has happened or not, and the calls in it are done once.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../testing/postgres-server.ts';
import type { LostCommit, Wire } from '../../testing/wire.ts';
import { ask, nextVersion, notKept, openWired, publish } from '../../testing/wired-mock.ts';

let database: PostgresServer;
beforeAll(async () => {
  database = await startPostgres({ isDurable: false });
});
afterAll(() => database.stop());

test.each<[LostCommit]>([['before'], ['after'], ['on its way']])(
  'calls whose commit is lost (%s) happen once',
  async (how) => {
    const parts = await openWired(database);
    const lost = parts.wire.loseCommit(how);
    const answers = await Promise.all([1, 2, 3].map(() => publish(parts.mock, parts.token)));
    await lost;
    expect(answers.map(({ status, body }) => [status, body.data?.version])).toEqual([
      [200, 8],
      [200, 9],
      [200, 10],
    ]);
    // A repetition would be answered with the first answer.
    expect(await ask(`${parts.other.controlUrl}/requests`, {})).toMatchObject({ body: { total: 3 } });
    expect(await nextVersion(parts)).toBe(11);
  },
);

test('a commit that comes too late has not happened, and others wait for it no longer than five seconds', async () => {
  const parts = await openWired(database);
  const lost = parts.wire.loseCommit('late');
  const late = publish(parts.mock, parts.token);
  await lost;
  const next = await publish(parts.other, parts.token);
  expect(next).toMatchObject({ status: 200, body: { data: { version: 8 } } });
  expect(next.ms).toBeLessThan(9000);
  expect(await late).toMatchObject(notKept);
  await sleep(3000);
  expect(await nextVersion(parts)).toBe(9);
});

test('whether a commit happened is asked for ten seconds; then nobody waits any longer', async () => {
  const parts = await openWired(database);
  const { wire, mock, token } = parts;
  const lost = wire.loseCommit('after');
  const published = publish(mock, token);
  await lost;
  wire.refuse();
  const answer = await published;
  expect(answer).toMatchObject(notKept);
  expect(answer.ms).toBeGreaterThan(8000);
  expect(answer.ms).toBeLessThan(15_000);
  await wire.accept();
  await expect.poll(async () => (await publish(mock, token)).status, { timeout: 5000 }).toBe(200);
  expect(await nextVersion(parts)).toBe(10);
});

test.each<[string, (wire: Wire) => void]>([
  ['before a turn', (wire) => wire.silence()],
  ['at its commit', (wire) => void wire.loseCommit('in silence')],
])(
  'silence %s is an answer after ten seconds, and what was sent into it is not kept later',
  async (_, hush) => {
    const parts = await openWired(database);
    const { wire, mock, token } = parts;
    hush(wire);
    const answer = await publish(mock, token);
    expect(answer).toMatchObject(notKept);
    expect(answer.ms).toBeLessThan(14_000);
    const next = await publish(mock, token);
    expect(next).toMatchObject(notKept);
    expect(next.ms).toBeLessThan(8000);
    expect(await ask(`${mock.controlUrl}/ready`, {})).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining('no answer within 2 s') },
    });
    wire.speak();
    await expect
      .poll(async () => (await ask(`${mock.controlUrl}/ready`, {})).status, { timeout: 20_000 })
      .toBe(200);
    expect((await publish(mock, token)).body.data?.version).toBe(8);
    expect(await nextVersion(parts)).toBe(9);
  },
);
