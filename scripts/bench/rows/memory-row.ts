import { Pool } from 'undici';
import type { Access } from '../bench-world.ts';
import { type Child, startChild } from '../child.ts';
import {
  type Actor,
  createActors,
  kindCount,
  type MixedCall,
  makeLastingSubscription,
  makeMixedCall,
} from '../mix.ts';
import type { Ready } from '../mock-command.ts';
import type { Outcome, Row, Scale } from '../row.ts';

/** Resident memory of `sitepub mock` under a mix of all operations, pushes included. */
export const memory: Row = { id: 'memory', measure };

const megabyte = 1024 * 1024;
/** With more, a tenant would reach its limit of logins. */
const actorsPerSite = 2;

interface Reading {
  requests: number;
  megabytes: number;
}

async function measure({ isQuick }: Scale): Promise<Outcome> {
  const [first, last] = isQuick ? [20_000, 100_000] : [100_000, 500_000];
  const receiver = await startChild<{ origin: string }>('receiver', 200);
  const mock = await startChild<Ready>('command');
  const { base_url: baseUrl, control_url: controlUrl } = mock.about;
  const actors = createActors(sitesOf(mock.about));
  const pool = new Pool(new URL(baseUrl).origin, { connections: actors.length });
  try {
    const targets = [`${receiver.about.origin}/hook`, `${controlUrl}/inbox/bench`];
    for (const [index, actor] of actors.filter((_, at) => at % actorsPerSite === 0).entries())
      await make(pool, makeLastingSubscription(actor, targets[index % targets.length] ?? ''));
    const readings = await readMemory(mock, last, (start) => playRound(pool, actors, start));
    return outcomeOf(readings, first);
  } finally {
    await pool.destroy();
    await mock.stop();
    await receiver.stop();
  }
}

/** Credentials for each site of the demo world, several times. */
function sitesOf({ tenants }: Ready): Access[] {
  return tenants.flatMap(({ users: [user], api_key: apiKey, site_ids: ids }) => {
    if (!user) throw new Error('a tenant of the demo world has no user');
    return ids.flatMap((siteId) =>
      Array.from({ length: actorsPerSite }, () => ({ ...user, apiKey, siteId })),
    );
  });
}

const readEvery = 10_000;

async function readMemory(
  mock: Child<Ready>,
  last: number,
  play: (start: number) => Promise<number>,
): Promise<Reading[]> {
  const readings = [await read(mock, 0)];
  let next = readEvery;
  for (let done = 0; done < last; ) {
    done += await play(done);
    if (done < next) continue;
    readings.push(await read(mock, done));
    next += readEvery;
  }
  return readings;
}

async function read(mock: Child<Ready>, requests: number): Promise<Reading> {
  const { rssBytes } = await mock.usage();
  return { requests, megabytes: Math.round(rssBytes / megabyte) };
}

/** All actors at once make each kind of call; then the clock moves by a minute, which resets all limits. */
async function playRound(pool: Pool, actors: readonly Actor[], start: number): Promise<number> {
  const work = async (actor: Actor, index: number) => {
    for (let kind = 0; kind < kindCount; kind++)
      await make(pool, makeMixedCall(actor, kind, `${start} of ${index}`));
  };
  await Promise.all(actors.map(work));
  const { body, statusCode } = await pool.request({
    method: 'POST',
    path: '/_mock/clock',
    headers: { 'content-type': 'application/json' },
    body: '{"advance":"PT1M"}',
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`POST /_mock/clock is answered with ${statusCode} ${text}`);
  return actors.length * kindCount;
}

async function make(pool: Pool, { call, succeeds: isFine, remember: note }: MixedCall): Promise<void> {
  const { method, path, headers, body = null } = call;
  const { statusCode, body: answer } = await pool.request({ method: method as 'POST', path, headers, body });
  const text = await answer.text();
  const { code, data } = JSON.parse(text) as { code: number; data: Record<string, unknown> };
  if ((code === 0) !== isFine)
    throw new Error(`${method} ${path} is answered with ${statusCode} ${text}, so nothing was measured`);
  note?.(data);
}

function outcomeOf(readings: readonly Reading[], first: number): Outcome {
  const early = readings.find(({ requests }) => requests >= first)?.megabytes ?? Number.NaN;
  const { megabytes: late = Number.NaN, requests = 0 } = readings.at(-1) ?? {};
  const atMost = (value: number) => ({ kind: 'at most', value }) as const;
  return {
    figures: [
      {
        measured: `${early} MB after ${first.toLocaleString('en')} requests`,
        value: early,
        unit: 'MB',
        budget: atMost(120),
      },
      {
        measured: `${late} MB after ${requests.toLocaleString('en')}`,
        against: `${early} MB after ${first.toLocaleString('en')}`,
        value: late / early,
        unit: 'times',
        budget: atMost(1.05),
      },
    ],
    rounds: readings,
  };
}
