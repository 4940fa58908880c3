import { getAt } from '../openapi/json-pointer.ts';
import { fillTemplate } from '../openapi/template.ts';
import { AnswerError, BusinessError, LoginBudgetError } from './errors.ts';
import { type Account, isHeaderText, type SessionProfile } from './options.ts';

export const loginPath = '/auth/tenant/login';
const refreshPath = '/auth/refresh';

/** Returns the whole body of a success; throws a SitepubError otherwise. */
export type Post = (path: string, request: { token?: string; body?: unknown }) => Promise<unknown>;

export interface Session {
  /** Logs in if there is no token yet. Returns undefined without an account. */
  token(): Promise<string | undefined>;
  /** Replaces the refused token. Returns undefined for a fixed key. */
  renew(refused: string): Promise<string | undefined>;
}

interface SessionOptions {
  token?: string | undefined;
  account?: Account | undefined;
  profile: SessionProfile;
  now: () => number;
}

export function createFixedSession(key: string): Session {
  return { token: async () => key, renew: async () => undefined };
}

export function createSession(post: Post, { token, account, profile, now }: SessionOptions): Session {
  const { login, renew } = createTokenSource(post, { profile, budget: createLoginBudget(now) });
  const state: { token: string | undefined; pending?: Promise<string> | undefined } = { token };

  /** Simultaneous calls share one renewal and at most one login. */
  function share(obtain: () => Promise<string>): Promise<string> {
    state.pending ??= store(obtain);
    return state.pending;
  }

  async function store(obtain: () => Promise<string>): Promise<string> {
    try {
      state.token = await obtain();
      return state.token;
    } finally {
      state.pending = undefined;
    }
  }

  return {
    async token() {
      if (state.pending !== undefined) return state.pending;
      if (state.token !== undefined || !account) return state.token;
      return share(() => login(account));
    },
    async renew(refused) {
      // Another call has renewed the token in the meantime.
      if (state.pending === undefined && state.token !== refused) return state.token;
      return share(() => renew(refused, account));
    },
  };
}

interface SourceOptions {
  profile: SessionProfile;
  budget: LoginBudget;
}

/** Renews by a refresh and, if the service refuses it, by a login. */
function createTokenSource(post: Post, { profile, budget }: SourceOptions) {
  async function login({ username, password }: Account): Promise<string> {
    const waitMs = budget.takeLogin();
    if (waitMs > 0) throw tooManyLogins(waitMs);
    return readToken(await post(loginPath, { body: { username, password } }), 'login.token', profile);
  }

  async function refresh(token: string): Promise<string> {
    const template = profile['refresh.request'];
    const body = template === 'none' ? {} : { body: fillTemplate(template, { token }) };
    return readToken(await post(refreshPath, { token, ...body }), 'refresh.token', profile);
  }

  async function renew(token: string, account: Account | undefined): Promise<string> {
    try {
      return await refresh(token);
    } catch (error) {
      if (!account || !(error instanceof BusinessError)) throw error;
      return login(account);
    }
  }

  return { login, renew };
}

function readToken(body: unknown, gap: 'login.token' | 'refresh.token', profile: SessionProfile): string {
  const token = getAt(body, profile[gap]);
  if (typeof token === 'string' && isHeaderText(token)) return token;
  const call = `POST ${gap === 'login.token' ? loginPath : refreshPath}`;
  const message = `${call} succeeded, but there is no token at ${profile[gap]} of the answer, which has ${namesIn(body)}; state its place with profile: { '${gap}': '/data/…' }`;
  throw new AnswerError(message, { call });
}

/** Shows only names, because any value may be the token. */
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
    `no login was sent: this client sent five within a minute, half of the tenant's ten; the next one is possible in ${seconds} s`,
    { call: `POST ${loginPath}` },
  );
}

/** A tenant has ten logins a minute (section 8). A client uses only half of them, because others log in too. */
const maxLogins = 5;
const windowMs = 60_000;

interface LoginBudget {
  /** Returns 0 and uses up a login, or returns the milliseconds until the next one. */
  takeLogin(): number;
}

/** Counts logins in a sliding minute. `now` returns milliseconds. */
export function createLoginBudget(now: () => number): LoginBudget {
  const sentAt: number[] = [];
  return {
    takeLogin() {
      const time = now();
      const oldest = sentAt.at(-maxLogins);
      if (oldest !== undefined && time - oldest < windowMs) return oldest + windowMs - time;
      sentAt.push(time);
      if (sentAt.length > maxLogins) sentAt.shift();
      return 0;
    },
  };
}
