// A call returns the `data` of its answer, or throws a SitepubError.
import createFetchClient from 'openapi-fetch';
import type { paths } from '../openapi/generated/types.ts';
import { checkSafe, type Ids, mapValues, readIds, UnsafeInteger } from '../webhooks/identifiers.ts';
import { createEnvelopeMiddleware } from './envelope-middleware.ts';
import { BusinessError, UnsafeIntegerError } from './errors.ts';
import { type CheckedOptions, type ClientOptions, checkOptions } from './options.ts';
import { createFixedSession, createSession, loginPath, type Post, type Session } from './session.ts';
import type { Client } from './types.ts';
import { writeBody } from './write-body.ts';

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

/** Throws TypeError for a wrong option; sends nothing before the first call. */
export function createClient<Paths extends object = paths, I extends Ids = 'number'>(
  options: ClientOptions<I>,
): Client<Paths, I> {
  const checked = checkOptions(options);
  const send = createSend(checked, options);
  const session = openSession(send, checked);
  const method = (name: string) => (path: string, init?: Init) =>
    callWith(session, { send, ...checked }, { method: name, path, init });
  const client = { GET: method('GET'), POST: method('POST'), PUT: method('PUT') };
  // Only the types know the paths, their parameters and their data.
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

/** A call that is refused for an expired session had no effect, so it is repeated once with a new token. */
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

/** Throws the refusal if the renewal fails, with that failure as its cause. */
async function renew(session: Session, token: string, refusal: BusinessError): Promise<string | undefined> {
  try {
    return await session.renew(token);
  } catch (cause) {
    throw new BusinessError(refusal, { call: refusal.call, cause });
  }
}
