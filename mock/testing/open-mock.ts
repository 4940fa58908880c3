// Helpers for tests of the mock. They call operations by their names in the description, so one test works with every profile.
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

export const start = Date.parse('2026-01-02T03:04:05.000Z');

/** A packaged profile with other values for some gaps. */
export function profileWith(values: Readonly<Record<string, unknown>>, name = 'default'): Profile {
  const base = loadProfile(name);
  return makeProfile({ ...statedValues(base), ...values }, { name, source: 'test' });
}

export type TestMock = ReturnType<typeof openMock>;

/** A mock without a socket, with a clock that only the test advances. */
export function openMock(profile: Profile = loadProfile('default'), options: Partial<MockOptions> = {}) {
  const logged: string[] = [];
  const log = (line: string) => logged.push(line);
  const stored = usesStore ? openTestStore(() => mock.world) : {};
  const mock: RootMock = createMock({ seed: 1, clock: 'manual', log, ...stored, ...options, profile });
  const clock = {
    get time(): number {
      return mock.clock.now();
    },
    /** Moves the clock without running due jobs. */
    set time(time: number) {
      mock.world.clock = { mode: 'manual', time };
    },
  };
  clock.time = start;
  const operations = operationsOf(mock.description);

  async function perform(
    id: OperationId,
    values: Readonly<Record<string, unknown>> = {},
    token?: string,
    headers: Record<string, string> = {},
  ) {
    const operation = operations.find((candidate) => candidate.id === id);
    if (!operation) throw new Error(`${profile.name} does not offer ${id}`);
    const body = writeRequest(operation, values);
    const response = await mock.app.inject({
      method: operation.method as 'POST',
      url: basePath + fillPath(operation.path, values) + writeQuery(operation, values),
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
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

  async function codeOf(...call: Parameters<typeof perform>): Promise<number> {
    return (await perform(...call)).envelope.code;
  }

  /** One call after the other. */
  async function codesOf(...calls: readonly Readonly<Parameters<typeof perform>>[]): Promise<number[]> {
    const codes = [];
    for (const call of calls) codes.push(await codeOf(...call));
    return codes;
  }

  /** By default, subscribes site 101 to publish.complete. */
  const subscribe = (values: Readonly<Record<string, unknown>> = {}, token = access.harbourKey) =>
    perform('createSubscription', subscriptionRequest(values), token);

  async function logIn({ username, password } = access.mei): Promise<string> {
    return String((await perform('login', { username, password })).values.token);
  }

  /** The tenant's API key, or a new session token if the operation requires one. */
  async function tokenFor(id: OperationId): Promise<string> {
    const isBySession = operations.some((one) => one.id === id && one.auth === 'session');
    return isBySession ? logIn() : access.harbourKey;
  }

  const { app, controlApp, control, worlds, tenants, description } = mock;
  const parts = { app, controlApp, control, worlds, tenants, description };
  const calls = { perform, codeOf, codesOf, subscribe, logIn, tokenFor };
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

export function subscriptionRequest(values: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { siteID: 101, ...hook('https://hooks.example/x'), ...values };
}

/** A number is a pause in milliseconds. */
type Part = string | Buffer | number;

/** Writes the parts to a socket of the mock. */
export async function exchangeRaw({ app }: Pick<TestMock, 'app'>, parts: readonly Part[]) {
  if (!app.server.listening) await listen(app);
  return exchangeAt((app.server.address() as AddressInfo).port, parts);
}

/** Sends a request without a body as raw lines, which an HTTP client might correct, and closes the mock. */
export async function sendLines(mock: Pick<TestMock, 'app'>, lines: readonly string[]) {
  const answer = await exchangeRaw(mock, [`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`]);
  await mock.app.close();
  return answer;
}

export async function exchangeAt(port: number, parts: readonly Part[]) {
  const socket = connect(port, '127.0.0.1');
  const received = text(socket);
  for (const part of parts) {
    if (typeof part === 'number') await setTimeout(part);
    else socket.write(part);
  }
  return parseRawAnswer(await received);
}

export function listen(app: TestMock['app']): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** `received` contains all answers; the other members describe the first. */
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
  /** Sends the body without an end. */
  isEndless?: boolean;
}

type Answered = ReceiverAnswer | 'reset' | undefined;

/** A receiver of pushes until the test ends. It never answers if `respond` returns undefined. */
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
