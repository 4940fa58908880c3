// Helpers for the tests of the mock. Calls use the names of the description, so that one test serves every profile.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import {
  type OperationId,
  operationsOf,
  readLayout,
  writeQuery,
  writeRequest,
} from '../../openapi/operations.ts';
import { loadProfile, makeProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { fillPath } from '../../openapi/template.ts';
import { basePath } from '../http/paths.ts';
import { createMock, type RootMock } from '../server/create-mock.ts';
import type { MockOptions } from '../server/mock-options.ts';
import { hook } from './started-mock.ts';
import { openTestStore, usesStore } from './test-store.ts';

export { profileNames } from '../../openapi/testing/profile-names.ts';

/** The start of the tests' clock. */
export const start = Date.parse('2026-01-02T03:04:05.000Z');

/** A profile that differs from a packaged one in some values. */
export function profileWith(values: Readonly<Record<string, unknown>>, name = 'default'): Profile {
  const base = loadProfile(name);
  return makeProfile({ ...statedValues(base), ...values }, { name, source: 'test' });
}

export type TestMock = ReturnType<typeof openMock>;

/** A mock without a socket, with a clock that only the test moves. */
export function openMock(profile: Profile = loadProfile('default'), options: Partial<MockOptions> = {}) {
  const logged: string[] = [];
  const log = (line: string) => logged.push(line);
  const kept = usesStore ? openTestStore(() => mock.world) : {};
  const mock: RootMock = createMock({ seed: 1, clock: 'manual', log, ...kept, ...options, profile });
  const clock = {
    get time(): number {
      return mock.clock.now();
    },
    /** Moves the clock without running the jobs due meanwhile. */
    set time(time: number) {
      mock.world.clock = { mode: 'manual', time };
    },
  };
  clock.time = start;
  const operations = operationsOf(mock.description);

  async function perform(id: OperationId, values: Readonly<Record<string, unknown>> = {}, token?: string) {
    const operation = operations.find((candidate) => candidate.id === id);
    if (!operation) throw new Error(`${profile.name} does not offer ${id}`);
    const body = writeRequest(operation, values);
    const response = await mock.app.inject({
      method: operation.method as 'POST',
      url: basePath + fillPath(operation.path, values) + writeQuery(operation, values),
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { payload: body as object }),
    });
    const envelope = response.json<Envelope>();
    return {
      status: response.statusCode,
      headers: response.headers,
      envelope,
      values: readLayout(operation.success.layout, envelope),
      mismatches: mock.validate(operation.success.schema, envelope),
    };
  }

  const access = accessOf(mock.tenants);

  /** The business code of the answer. */
  async function codeOf(...call: Parameters<typeof perform>): Promise<number> {
    return (await perform(...call)).envelope.code;
  }

  /** A new session token. */
  async function logIn({ username, password } = access.mei): Promise<string> {
    return String((await perform('login', { username, password })).values.token);
  }

  /** The tenant's API key or, where an operation takes none, a new session token. */
  async function tokenFor(id: OperationId): Promise<string> {
    const isBySession = operations.some((one) => one.id === id && one.auth === 'session');
    return isBySession ? logIn() : access.harbourKey;
  }

  const { app, controlApp, control, worlds, tenants, description } = mock;
  const parts = { app, controlApp, control, worlds, tenants, description };
  const calls = { perform, codeOf, logIn, tokenFor };
  return { ...parts, service: mock, profile, clock, logged, ...calls, ...access };
}

export interface Envelope {
  code: number;
  message: string;
  data?: unknown;
  trace_id: string;
}

function accessOf([harbour, blumen]: ReturnType<typeof createMock>['tenants']) {
  const [mei, tom] = harbour?.users ?? [];
  const [zoe] = blumen?.users ?? [];
  if (!harbour?.apiKey || !blumen?.apiKey || !mei || !tom || !zoe)
    throw new Error('the demo world has no users or keys');
  return { mei, tom, zoe, harbourKey: harbour.apiKey, blumenKey: blumen.apiKey };
}

/** The request for a subscription of site 101, with the given differences. */
export function subscriptionRequest(values: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { siteID: 101, ...hook('https://hooks.example/x'), ...values };
}

/** Bytes, or a pause in ms. */
type Part = string | Buffer | number;

/** Listens on a free port, writes the parts to a socket, and returns what came back. */
export async function exchangeRaw({ app }: Pick<TestMock, 'app'>, parts: readonly Part[]) {
  if (!app.server.listening) await listen(app);
  return exchangeAt((app.server.address() as AddressInfo).port, parts);
}

/** Sends a request without a body by its lines, so that nothing in it is put right, and closes the mock. */
export async function sendLines(mock: Pick<TestMock, 'app'>, lines: readonly string[]) {
  const answer = await exchangeRaw(mock, [`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`]);
  await mock.app.close();
  return answer;
}

/** The same as `exchangeRaw` with what listens at a port. */
export async function exchangeAt(port: number, parts: readonly Part[]) {
  const socket = connect(port, '127.0.0.1');
  const received = text(socket);
  for (const part of parts) {
    if (typeof part === 'number') await setTimeout(part);
    else socket.write(part);
  }
  return parseRawAnswer(await received);
}

/** On a free port. */
export function listen(app: TestMock['app']): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** `received` has all answers; the other members are those of the first. */
function parseRawAnswer(received: string) {
  const [head = '', rest = ''] = received.replace('HTTP/1.1 100 Continue\r\n\r\n', '').split('\r\n\r\n');
  const fields = [...head.matchAll(/^([\w-]+): (.*)$/gm)];
  const headers = Object.fromEntries(fields.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
  const [body = ''] = rest.split(/HTTP\/1\.1 \d/);
  const envelope = JSON.parse(body || '{}') as Envelope;
  return { received, status: Number(head.split(' ')[1]), headers, body, envelope };
}

export interface Received extends Pick<IncomingMessage, 'method' | 'headers'> {
  path: string;
  body: string;
}

interface ReceiverAnswer {
  status: number;
  body?: string;
  location?: string;
  /** Never ends the body. */
  isEndless?: boolean;
}

type Answered = ReceiverAnswer | 'reset' | undefined;

/** A receiver of pushes on a free port, until the test ends; answers with `respond`, or not at all when that is undefined. */
export async function openReceiver(respond: (path: string, body: string) => Answered | Promise<Answered>) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method, url: path = '', headers } = request;
    const body = await text(request);
    received.push({ method, path, headers, body });
    const answer = await respond(path, body);
    if (answer === 'reset') request.socket.resetAndDestroy();
    if (!answer || answer === 'reset') return;
    response.writeHead(answer.status, answer.location ? { location: answer.location } : {});
    if (answer.isEndless) response.write(answer.body);
    else response.end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const countConnections = promisify(server.getConnections.bind(server));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { url, received, countConnections, close };
}
