// Mocks with worlds by name that end with a test, and calls over HTTP.
import { expect, onTestFinished } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import type { Json } from '../../openapi/json.ts';
import { type KeptMock, type KeptOptions, type StartedMock, type StartOptions, startMock } from '../start.ts';
import { checkAnswer } from './open-control.ts';

export function start(options: KeptOptions): Promise<KeptMock>;
export function start(options: StartOptions): Promise<StartedMock>;
export async function start(options: StartOptions): Promise<StartedMock | KeptMock> {
  const mock = await startMock(options);
  onTestFinished(() => mock.close());
  return mock;
}

export interface Init {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** `line`: the method and the address. */
export async function send<Body = Json>(line: string, { token, body, headers = {} }: Init = {}) {
  const [method = '', url = ''] = line.split(' ');
  const response = await fetch(url, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

export async function createWorld(
  { controlUrl }: Pick<StartedMock, 'controlUrl'>,
  body: object,
  init: Init = {},
): Promise<Schemas['CreatedWorld']> {
  const line = `POST ${controlUrl}/worlds`;
  const { status, body: answer } = await send<Schemas['CreatedWorld']>(line, { ...init, body });
  expect([status, answer]).toEqual([200, expect.objectContaining({ name: expect.any(String) })]);
  const schema = '/paths/~1_mock~1worlds/post/responses/200/content/application~1json/schema';
  checkAnswer(schema, { line, status, answer });
  return answer;
}
