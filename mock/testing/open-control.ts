// Helpers for tests of the control API. They validate every answer against the description.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { readDescription } from '../../openapi/resolve.ts';
import { createValidator } from '../../openapi/validate.ts';
import { type ControlCall, findCall, readTarget } from '../control/control-contract.ts';
import { listen, openMock, type TestMock } from './open-mock.ts';
import { send } from './started-mock.ts';

const description = readDescription('mock-control.yaml');
const validate = createValidator(description);

export function openControl(...options: Parameters<typeof openMock>) {
  const mock = openMock(...options);
  return { ...mock, call: callerOf(mock.app) };
}

/** Like `openControl`, on a port until the test ends. */
export async function listenControl(...options: Parameters<typeof openMock>) {
  const mock = openControl(...options);
  const origin = await listen(mock.app);
  onTestFinished(() => mock.app.close());
  return { ...mock, origin, inboxUrl: `${origin}/_mock/inbox/ci` };
}

/** The path of a call below /_mock, with an example for each parameter. */
export function examplePathOf({ segments }: Pick<ControlCall, 'segments'>): string {
  const examples: Record<string, string> = { '{name}': 'ci', '{siteId}': '101', '{id}': '1' };
  return segments
    .slice(1)
    .map((segment) => `/${examples[segment] ?? segment}`)
    .join('');
}

export async function listenTo<Event = { event: string; data: Json }>(url: string) {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const events = () =>
    [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(
      ([, event, data = '']) => ({ event, data: JSON.parse(data) }) as Event,
    );
  return { response, events, closed: once(response, 'close'), text: () => text };
}

/** Calls the control API without a socket. */
export function callerOf(app: TestMock['app']) {
  return async function call<Body = Json>(
    line: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const [method = '', path = ''] = line.split(' ');
    const response = await app.inject({
      method: method as 'POST',
      url: `/_mock${path}`,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const { statusCode: status, payload: text } = response;
    const answer = (text === '' ? undefined : response.json()) as Body;
    checkAnswer(status === 200 ? successOf(method, `/_mock${path}`) : failure, { line, status, answer });
    return { status, headers: response.headers, body: answer, text };
  };
}

/** `schema` is a JSON pointer into the description. */
export function checkAnswer(
  schema: string,
  { line, answer, ...rest }: { line: string; status: number; answer: unknown },
): void {
  const mismatches = answer === undefined ? [] : validate(schema, answer);
  if (mismatches.length === 0) return;
  const shown = JSON.stringify({ ...rest, mismatches: mismatches.slice(0, 5), answer }).slice(0, 2000);
  throw new Error(`the answer to ${line} does not match its description: ${shown}`);
}

const failure = '/components/schemas/Error';

function successOf(method: string, url: string): string {
  const target = readTarget(method, url);
  if (target.kind === 'message')
    return '/paths/~1_mock~1inbox~1{name}/post/responses/200/content/application~1json/schema';
  const { segments } = findCall(method, target.segments);
  const at = `/paths/~1${segments.join('~1')}/${method.toLowerCase()}/responses/200`;
  const { $ref } = getAt(description, at) as Json;
  return `${typeof $ref === 'string' ? $ref.slice(1) : at}/content/application~1json/schema`;
}

export async function createWorld(
  { controlUrl }: { controlUrl: string },
  body: object,
  token?: string,
): Promise<Schemas['CreatedWorld']> {
  const url = `${controlUrl}/worlds`;
  const { status, body: answer } = await send<Schemas['CreatedWorld']>(url, { body, token });
  if (status !== 200) throw new Error(`no world was made: ${JSON.stringify(answer)}`);
  checkAnswer(successOf('POST', '/_mock/worlds'), { line: `POST ${url}`, status, answer });
  return answer;
}
