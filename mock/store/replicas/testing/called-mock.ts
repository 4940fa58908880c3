// A mock without a socket, on a manual clock: alone, or on a world that others share.

import { loadProfile } from '../../../../openapi/profile.ts';
import { isControlPath } from '../../../http/paths.ts';
import { createMetrics } from '../../../metrics/metrics.ts';
import { createMock, type RootMock } from '../../../server/create-mock.ts';
import { openKept } from '../../../server/kept-start.ts';
import { readBeginning } from '../../../server/read-beginning.ts';
import { createShutdown } from '../../../server/shutdown.ts';

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  token?: string | undefined;
  body?: unknown;
}

/** With all that is the same each time. */
export interface Answered {
  status: number;
  headers: Headers;
  body: string;
}

type Headers = Readonly<Record<string, unknown>>;

export interface CalledMock {
  service: RootMock;
  /** Returns when what the call caused has settled. */
  call(call: Call): Promise<Answered>;
  /** Mistakes of the mock, and problems of its store. */
  logged: readonly string[];
  close(): Promise<void>;
}

const fixed = { seed: 1, clock: 'manual' } as const;

/** `store`: the URL of a database; without it, the world lives in memory. */
export async function openCalled(store?: string): Promise<CalledMock> {
  const kept = store === undefined ? undefined : await openKept({ ...fixed, store }, createMetrics());
  const profile = loadProfile('default');
  const logged: string[] = [];
  const mock = createMock({
    ...fixed,
    profile,
    log: (line) => void logged.push(line),
    beginning: await readBeginning({ ...fixed, profile }),
    ...(kept && { store: kept.store.main }),
  });
  await kept?.begin(mock);
  return { ...called(mock, async () => kept?.store.close()), logged };
}

function called(service: RootMock, closeStore: () => Promise<void>): Omit<CalledMock, 'logged'> {
  const { app } = service;

  async function send({ method, path, token, body }: Call): Promise<Answered> {
    // biome-ignore lint/nursery/useAwaitThenable: Fastify's overload without a callback returns a promise
    const answer = await app.inject({
      method,
      url: path,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { payload: body as object }),
    });
    const { statusCode: status, headers, body: text } = answer;
    return { status, ...(isControlPath(path) ? withoutRealTime(headers, text) : { headers, body: text }) };
  }

  return {
    service,
    async call(call) {
      const answer = await send(call);
      await send({ method: 'POST', path: '/_mock/drain' });
      return answer;
    },
    close: createShutdown({ apps: [app], mocks: () => [service], endWorlds: async () => {}, closeStore })
      .close,
  };
}

/** Control calls tell when they were answered, and how long requests took. */
function withoutRealTime(headers: Headers, text: string): Omit<Answered, 'status'> {
  const { date: _date, 'content-length': _length, ...others } = headers;
  return { headers: others, body: text.replace(/"duration_ms":[\d.]+/g, '"duration_ms":0') };
}

/** A saved world without what may differ where it is shared: the order of sessions, which is that of their use, and the numbers of jobs, since an attempt that a caller waits for is one there. */
export function comparableWorld(text: string): string {
  const { sessions, jobs, counters, ...others } = JSON.parse(text) as {
    sessions: Record<string, unknown>;
    jobs: object[];
    counters: object;
  };
  return JSON.stringify({
    ...others,
    sessions: Object.entries(sessions).sort(([one], [other]) => one.localeCompare(other)),
    jobs: jobs.map((job) => ({ ...job, id: 0 })),
    counters: { ...counters, job: 0 },
  });
}
