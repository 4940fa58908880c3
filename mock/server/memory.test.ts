import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { openControl } from '../testing/open-control.ts';
import { openMock } from '../testing/open-mock.ts';
import { type Replica, startReplica } from '../testing/replicas.ts';
import { hook, send } from '../testing/started-mock.ts';

test('limits the messages of all inboxes to 64 MB', async () => {
  const { app, call } = openControl();
  const payload = Buffer.alloc(1_048_576, 'x');
  for (let count = 1; count <= 70; count++)
    await app.inject({ method: 'POST', url: `/_mock/inbox/box-${count % 2}`, payload });
  const readInboxes = async () => (await call<Schemas['Health']>('GET /health')).body.kept.inboxes;
  const { bytes, bound } = await readInboxes();
  expect([bound, bytes > 55_000_000, bytes < bound]).toEqual([64_000_000, true, true]);
  for (const name of [0, 1]) {
    const { body } = await call<Schemas['Messages']>(`GET /inbox/box-${name}/messages`);
    expect([body.received, body.messages.at(-1)?.id]).toEqual([35, 35]);
    expect(body.messages[0]?.id).toBe(body.dropped + 1);
    expect(body.dropped).toBeGreaterThan(2);
  }
  await call('DELETE /inbox/box-0');
  expect((await readInboxes()).bytes / bytes).toBeCloseTo(0.5, 1);
});

test('stores a long message unchanged', async () => {
  const { app, call } = openControl();
  const payload = `\ufeff${'漢é😀x'.repeat(100_000)}`;
  await app.inject({ method: 'POST', url: '/_mock/inbox/ci', payload });
  expect((await call<Schemas['Messages']>('GET /inbox/ci/messages')).body.messages[0]?.body).toBe(payload);
});

test('limits sites, publications, subscriptions and repetitions to 16 MB', async () => {
  const { perform, harbourKey, control } = openMock();
  for (let count = 0; count < 12; count++)
    await perform('createSite', { name: `${count}${'x'.repeat(1_000_000)}` }, harbourKey);
  const { bytes, bound } = control.health().kept.records;
  expect([bound, bytes > 12_000_000, bytes < bound]).toEqual([16_000_000, true, true]);
});

describe('under a flood', { tags: ['nightly'] }, () => {
  function readMegabytes({ process: { pid } }: Replica): number {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1000;
  }

  const agent = new Agent({ keepAlive: true, maxSockets: 4 });

  async function post(url: string, body: string | Buffer, token = ''): Promise<number> {
    const headers = {
      'content-length': Buffer.byteLength(body),
      ...(token && { 'content-type': 'application/json', authorization: `Bearer ${token}` }),
    };
    const [answer] = await once(request(url, { method: 'POST', agent, headers }).end(body), 'response');
    await once(answer.resume(), 'end');
    return answer.statusCode;
  }

  /** Sends requests, four at a time. Returns the statuses of the answers. */
  async function flood(count: number, sendOne: (index: number) => Promise<number>): Promise<Set<number>> {
    const statuses = new Set<number>();
    const lane = async (first: number) => {
      for (let index = first; index < count; index += 4) statuses.add(await sendOne(index));
    };
    await Promise.all([0, 1, 2, 3].map(lane));
    return statuses;
  }

  const fitsInto = (most: number) =>
    expect.toSatisfy((megabytes: number) => megabytes < most, `takes less than ${most} MB`);

  // mock/world/limits.test.ts tests the limit of contents, submissions and comments.
  test('limits deliveries to 16 MB, and drops the jobs of evicted ones', async () => {
    const { perform, subscribe, service, control, app } = openMock();
    await subscribe({ events: ['comment.created'] });
    const text = 'x'.repeat(1_000_000);
    for (let count = 0; count < 25; count++)
      expect((await perform('createComment', { siteID: 101, author: 'a', text })).status).toBe(200);
    const { content, deliveries: kept } = control.health().kept;
    expect([content.bound, kept.bound]).toEqual([64_000_000, 16_000_000]);
    expect(kept.bytes).toBeLessThan(kept.bound);
    expect(kept.bytes).toBeGreaterThan(0.8 * kept.bound);
    const { deliveries } = service.world;
    // Evicted deliveries are not sent. Attempts in progress have no job.
    await service.scheduler.settle();
    const scheduled = service.world.jobs.order.flatMap(({ task }) =>
      task.kind === 'attempt' ? task.deliveryId : [],
    );
    expect(scheduled.filter((id) => !deliveries.has(id))).toEqual([]);
    expect(scheduled.length).toBeGreaterThan(0);
    await app.close();
  });

  test.runIf(process.platform === 'linux')(
    '10,000 messages of 1 MiB and 5,000 comments of 1 MB fit into 400 MB, and into 500 MB with pushes of comments',
    { timeout: 900_000 },
    async () => {
      const mock = await startReplica('', []);
      const { baseUrl, controlUrl, token } = mock;
      const ok = new Set([200]);
      const message = Buffer.alloc(1_048_576, 'x');
      const sent = await flood(10_000, (index) => post(`${controlUrl}/inbox/box-${index % 20}`, message));
      expect([sent, readMegabytes(mock)]).toEqual([ok, fitsInto(400)]);
      const texts = ['x'.repeat(1_000_000), '漢'.repeat(333_000)];
      const comments = texts.map((text) => JSON.stringify({ author: 'a', text }));
      const comment = (index: number) =>
        post(`${baseUrl}/sites/101/comments`, comments[index % 2] ?? '', token);
      expect([await flood(5_000, comment), readMegabytes(mock)]).toEqual([ok, fitsInto(400)]);
      const body = hook(`${controlUrl}/inbox/comments`, 'comment.created');
      await send(`${baseUrl}/tenant/sites/101/webhooks`, { token, body });
      // Bodies in progress count too.
      expect([await flood(200, comment), readMegabytes(mock)]).toEqual([ok, fitsInto(500)]);
      const { kept } = (await send<Pick<Schemas['Health'], 'kept'>>(`${controlUrl}/health`)).body;
      for (const { bytes, bound } of Object.values(kept)) expect(bytes).toBeLessThanOrEqual(bound);
    },
  );

  test.runIf(process.platform === 'linux').each([
    ['more values than the limit', 60_000, 413],
    ['as many as the limit', 24_990, 200],
  ])(
    '300 bodies of objects with unique names, %s, fit into 400 MB',
    { timeout: 300_000 },
    async (_case, objects, want) => {
      const mock = await startReplica('', []);
      const { baseUrl, token } = mock;
      const sent = await flood(300, (index) => {
        const list = Array.from({ length: objects }, (_, at) => `{"${index}_${at.toString(36)}":1}`);
        return post(`${baseUrl}/sites/101/forms/f/submissions`, `{"fields":{"list":[${list}]}}`, token);
      });
      expect([sent, readMegabytes(mock)]).toEqual([new Set([want]), fitsInto(400)]);
    },
  );
});
