// A mock without a socket and with a manual clock.
import { loadProfile } from '../../../../openapi/profile.ts';
import { isControlPath } from '../../../http/paths.ts';
import { createMetrics } from '../../../metrics/metrics.ts';
import { createMock, type RootMock } from '../../../server/create-mock.ts';
import { createShutdown } from '../../../server/shutdown.ts';
import { openStored } from '../../../server/stored-start.ts';

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  token?: string | undefined;
  body?: unknown;
}

/** Without values that differ between runs. */
export interface Answered {
  status: number;
  headers: Headers;
  body: string;
}

type Headers = Readonly<Record<string, unknown>>;

export type CalledMock = Awaited<ReturnType<typeof openCalled>>;

const fixed = { seed: 1, clock: 'manual' } as const;

/** Without a store URL, the world is in memory. */
export async function openCalled(store?: string) {
  const opened = store === undefined ? undefined : await openStored({ ...fixed, store }, createMetrics());
  const profile = loadProfile('default');
  const logged: string[] = [];
  const mock = createMock({
    ...fixed,
    profile,
    log: (line) => void logged.push(line),
    ...(opened && { store: opened.store.main }),
  });
  await opened?.begin(mock);
  const shutdown = createShutdown(mock, { store: opened?.store });
  return {
    service: mock,
    logged,
    /** Returns after the jobs and pushes of the call. */
    async call(call: Call): Promise<Answered> {
      const answer = await send(mock, call);
      await send(mock, { method: 'POST', path: '/_mock/drain' });
      return answer;
    },
    close: shutdown.close,
  };
}

async function send({ app }: RootMock, { method, path, token, body }: Call): Promise<Answered> {
  const answer = await app.inject({
    method,
    url: path,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { payload: body as object }),
  });
  const { statusCode: status, headers, body: text } = answer;
  return { status, ...(isControlPath(path) ? withoutRealTime(headers, text) : { headers, body: text }) };
}

/** Answers of the control API contain real times and durations. */
function withoutRealTime(headers: Headers, text: string): Omit<Answered, 'status'> {
  const { date: _date, 'content-length': _length, ...others } = headers;
  return { headers: others, body: text.replace(/"duration_ms":[\d.]+/g, '"duration_ms":0') };
}

/** A saved world without values that differ in a shared world: the order of sessions, which changes with use, and job numbers, because only a shared world makes a job of an attempt that a caller waits for. */
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
