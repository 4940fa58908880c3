import type { Middleware } from 'openapi-fetch';
import createFetchClient from 'openapi-fetch';
import type { paths } from '../openapi/generated/types.ts';
import { checkSafe, type Ids, isIdName, mapValues, readIds, UnsafeInteger } from '../webhooks/identifiers.ts';
import { checkAnswer } from './check-answer.ts';
import { BusinessError, ConnectionError, UnsafeIntegerError } from './errors.ts';
import { type CheckedOptions, type ClientOptions, checkOptions } from './options.ts';
import { createFixedSession, createSession, loginPath, type Post, type Session } from './session.ts';
import type { Client } from './types.ts';

export type { IdOf, Ids } from '../webhooks/identifiers.ts';
export {
  AnswerError,
  BusinessError,
  ConnectionError,
  LoginBudgetError,
  SitepubError,
  UnsafeIntegerError,
} from './errors.ts';
export type { ClientOptions, SessionProfile } from './options.ts';
export type { CallOptions, Client, DataOf } from './types.ts';

/** Returns a client for the service. Throws TypeError for an invalid option. Sends nothing before the first call. */
export function createClient<Paths extends object = paths, I extends Ids = 'number'>(
  options: ClientOptions<I>,
): Client<Paths, I> {
  const checked = checkOptions(options);
  const send = createSend(checked, options);
  const session = openSession(send, checked);
  const method = (name: string) => (path: string, init?: Init) =>
    callWith(session, { send, ...checked }, { method: name, path, init });
  const client = { GET: method('GET'), POST: method('POST'), PUT: method('PUT') };
  // The paths, their parameters and their data exist only in the types.
  return { ...client, PATCH: method('PATCH'), DELETE: method('DELETE') } as unknown as Client<Paths, I>;
}

interface Init {
  params?: unknown;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}

interface Call {
  method: string;
  path: string;
  init?: Init | undefined;
}

type Send = (call: Call, token: string | undefined) => Promise<unknown>;

function createSend(checked: CheckedOptions, { headers, fetch }: ClientOptions<Ids>): Send {
  const { baseUrl, ids } = checked;
  // A redirect could carry a password to another host.
  const api = createFetchClient({
    baseUrl,
    redirect: 'manual',
    bodySerializer: (body) => writeBody(body, ids),
    ...(headers && { headers }),
    ...(fetch && { fetch }),
  });
  api.use(createEnvelopeMiddleware(checked.account?.password));
  return async ({ method, path, init }, token) => {
    const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const options = { ...init, headers: { ...init?.headers, ...authorization }, parseAs: 'text' };
    const call = `${method} ${path}`;
    try {
      mapValues(init?.params, (value, name) => checkSafe(value, name, ids));
      const { data } = await api.request(method as never, path as never, options as never);
      return readAnswer(String(data), ids, call);
    } catch (error) {
      if (!(error instanceof UnsafeInteger)) throw error;
      throw new UnsafeIntegerError(`${call} was not sent: ${error.message}`, { call });
    }
  };
}

function readAnswer(text: string, ids: Ids, call: string): unknown {
  try {
    return readIds(text, ids);
  } catch (error) {
    if (!(error instanceof UnsafeInteger)) throw error;
    throw new UnsafeIntegerError(`${call} succeeded, but in its answer ${error.message}`, { call });
  }
}

function openSession(send: Send, { apiKey, token, account, profile }: CheckedOptions): Session {
  if (apiKey !== undefined) return createFixedSession(apiKey);
  const post: Post = (path, { token: bearer, body }) =>
    send({ method: 'POST', path, init: { body } }, bearer);
  return createSession(post, { token, account, profile, now: Date.now });
}

/** A call refused for an expired session had no effect, so the client repeats it once with a new token. */
async function callWith(
  session: Session,
  { send, expiredCodes }: { send: Send; expiredCodes: readonly number[] },
  call: Call,
): Promise<unknown> {
  const token = isAuthorized(call) ? undefined : await session.token();
  try {
    return dataOf(await send(call, token));
  } catch (error) {
    if (token === undefined || !isExpiry(error, expiredCodes)) throw error;
    const renewed = await renew(session, token, error);
    if (renewed === undefined) throw error;
    return dataOf(await send(call, renewed));
  }
}

function dataOf(body: unknown): unknown {
  return (body as { data?: unknown }).data;
}

/** A login, or a call with its own Authorization, needs no session. */
function isAuthorized({ path, init }: Call): boolean {
  return path === loginPath || new Headers(init?.headers).has('Authorization');
}

/** The document promises no code for an expired session; 401 or a code of the profile counts as one. */
function isExpiry(error: unknown, codes: readonly number[]): error is BusinessError {
  return error instanceof BusinessError && (error.status === 401 || codes.includes(error.code));
}

/** If the renewal fails, throws the refusal with that failure as its cause. */
async function renew(session: Session, token: string, refusal: BusinessError): Promise<string | undefined> {
  try {
    return await session.renew(token);
  } catch (cause) {
    throw new BusinessError(refusal, { call: refusal.call, cause });
  }
}

/** Writes bigints, and with ids 'string' identifiers of digits, as integers. Throws UnsafeInteger. */
function writeBody(value: unknown, ids: Ids, name = ''): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (ids === 'string' && typeof value === 'string' && isIdName(name) && isInteger.test(value)) return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(checkSafe(value, name, ids));
  if (hasOwnForm(value)) return writeBody(value.toJSON(name), ids, name);
  if (Array.isArray(value)) return `[${value.map((item) => writeBody(item, ids, name) ?? 'null').join()}]`;
  const members = Object.entries(value).flatMap(([key, part]) => {
    const text = writeBody(part, ids, key);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${members.join()}}`;
}

const isInteger = /^-?(0|[1-9]\d*)$/;

function hasOwnForm(value: object): value is { toJSON(name: string): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function createEnvelopeMiddleware(password: string | undefined): Middleware {
  return {
    onError: ({ error, request, schemaPath }) => explain(error, request, schemaPath),
    async onResponse({ request, response, schemaPath }) {
      const text = await readText(response, request, schemaPath);
      const { status, headers } = response;
      const secrets = [password, request.headers.get('Authorization')?.replace(/^Bearer /, '')];
      checkAnswer(
        { status, location: headers.get('Location'), text },
        { call: `${request.method} ${schemaPath}`, secrets },
      );
      // openapi-fetch needs an unread body, and status 200 because `code` decides about success.
      return new Response(text, { status: 200 });
    },
  };
}

async function readText(response: Response, request: Request, path: string): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw explain(error, request, path);
  }
}

/** A call aborted by its caller throws the error of fetch. */
function explain(error: unknown, request: Request, path: string): Error {
  if (request.signal.aborted && error instanceof Error) return error;
  const call = `${request.method} ${path}`;
  const message = `${call} got no answer from ${new URL(request.url).host} (${reasonOf(error)})`;
  return new ConnectionError(message, { call, cause: error });
}

/** The message of fetch is only "fetch failed"; its cause has the reason. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  if (typeof cause !== 'object' || cause === null) return String(cause);
  const { code, message } = cause as { code?: unknown; message?: unknown };
  return String(code ?? message);
}
