// The token that calls carry: a fixed API key, or a session that is opened by a login and renewed when it has expired.
import { getAt } from '../openapi/json-pointer.ts';
import { fillTemplate } from '../openapi/template.ts';
import { AnswerError, BusinessError, LoginBudgetError } from './errors.ts';
import { createLoginBudget } from './login-budget.ts';
import { type Account, isHeaderText, type SessionProfile } from './options.ts';

export const loginPath = '/auth/tenant/login';
export const refreshPath = '/auth/refresh';

/** Sends a POST and gives the whole body of a success; throws a SitepubError otherwise. */
export type Post = (path: string, request: { token?: string; body?: unknown }) => Promise<unknown>;

export interface Session {
  /** The current token; where there is none yet, that of a login. */
  token(): Promise<string | undefined>;
  /** A token in the stead of one that was refused, or undefined where there can't be one. */
  renew(refused: string): Promise<string | undefined>;
}

interface SessionOptions {
  token?: string | undefined;
  account?: Account | undefined;
  profile: SessionProfile;
  now: () => number;
}

/** What never expires. */
export function createFixedSession(key: string): Session {
  return { token: async () => key, renew: async () => undefined };
}

export function createSession(post: Post, options: SessionOptions): Session {
  const { account, profile } = options;
  const logins = createLoginBudget(options.now);
  const state: { token: string | undefined; pending?: Promise<string> | undefined } = {
    token: options.token,
  };

  /** Calls that come meanwhile wait for the same token: many at once cost one renewal, and one login at most. */
  function share(obtain: () => Promise<string>): Promise<string> {
    state.pending ??= keep(obtain);
    return state.pending;
  }

  async function keep(obtain: () => Promise<string>): Promise<string> {
    try {
      state.token = await obtain();
      return state.token;
    } finally {
      state.pending = undefined;
    }
  }

  async function login({ username, password }: Account): Promise<string> {
    const waitMs = logins.takeLogin();
    if (waitMs > 0) throw tooManyLogins(waitMs);
    return readToken(await post(loginPath, { body: { username, password } }), 'login.token', profile);
  }

  async function refresh(token: string): Promise<string> {
    const template = profile['refresh.request'];
    const body = template === 'none' ? {} : { body: fillTemplate(template, { token }) };
    return readToken(await post(refreshPath, { token, ...body }), 'refresh.token', profile);
  }

  async function obtainInstead(token: string): Promise<string> {
    try {
      return await refresh(token);
    } catch (error) {
      if (!account || !(error instanceof BusinessError)) throw error;
      return login(account);
    }
  }

  return {
    async token() {
      if (state.pending !== undefined) return state.pending;
      if (state.token !== undefined || !account) return state.token;
      return share(() => login(account));
    },
    async renew(refused) {
      // Another call has renewed it since.
      if (state.pending === undefined && state.token !== refused) return state.token;
      return share(() => obtainInstead(refused));
    },
  };
}

function readToken(body: unknown, gap: 'login.token' | 'refresh.token', profile: SessionProfile): string {
  const token = getAt(body, profile[gap]);
  if (typeof token === 'string' && isHeaderText(token)) return token;
  const call = `POST ${gap === 'login.token' ? loginPath : refreshPath}`;
  const message = `${call} succeeded, but there is no token at ${profile[gap]} of the answer, which has ${namesIn(body)}; say where it is by profile: { '${gap}': '/data/…' }`;
  throw new AnswerError(message, { call });
}

/** Names alone: any of the values may be the token. */
function namesIn(body: unknown): string {
  const data = getAt(body, '/data');
  if (typeof data !== 'object' || data === null) return 'no data';
  return (
    Object.keys(data)
      .map((name) => `/data/${name}`)
      .join(', ') || 'empty data'
  );
}

function tooManyLogins(waitMs: number): LoginBudgetError {
  const seconds = Math.ceil(waitMs / 1000);
  return new LoginBudgetError(
    `no login was sent: this client has sent five within a minute, of the ten that a tenant has; the next is possible in ${seconds} s`,
    { call: `POST ${loginPath}` },
  );
}
