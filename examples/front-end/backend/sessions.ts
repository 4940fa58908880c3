// The sessions of the page's users. The browser has a cookie that names one; the service's token never leaves this process.
import { randomBytes } from 'node:crypto';

interface Session {
  token: string;
  /** The renewal in progress. Simultaneous calls share it. */
  renewal?: Promise<boolean> | undefined;
}

interface Envelope {
  code: number;
  message: string;
  data?: { token?: string };
  trace_id: string;
}

export interface Answer {
  status: number;
  envelope: Envelope;
}

export interface Call {
  method: string;
  /** Below the base address, with its query. */
  path: string;
  body?: unknown;
}

/** The code of an expired session token, which is a gap of the interface document: a deployment may have another. */
const tokenExpired = 40101;

export function createSessions(baseUrl: string) {
  const sessions = new Map<string, Session>();

  /** The id for the cookie, or the service's refusal. */
  async function open(credentials: unknown): Promise<Answer & { id?: string }> {
    const answer = await send(baseUrl, { method: 'POST', path: '/auth/tenant/login', body: credentials });
    const { token } = answer.envelope.data ?? {};
    if (answer.envelope.code !== 0 || token === undefined) return answer;
    const id = randomBytes(24).toString('base64url');
    sessions.set(id, { token });
    return { ...answer, id };
  }

  /** Forwards a call; undefined if no user is logged in or the session has ended. */
  async function pass(id: string | undefined, call: Call): Promise<Answer | undefined> {
    const session = id === undefined ? undefined : sessions.get(id);
    if (id === undefined || !session) return undefined;
    const answer = await send(baseUrl, call, session.token);
    if (answer.envelope.code !== tokenExpired) return answer;
    session.renewal ??= renew(session).finally(() => delete session.renewal);
    if (await session.renewal) return send(baseUrl, call, session.token);
    sessions.delete(id);
    return undefined;
  }

  async function renew(session: Session): Promise<boolean> {
    const { envelope } = await send(baseUrl, { method: 'POST', path: '/auth/refresh' }, session.token);
    session.token = envelope.data?.token ?? session.token;
    return envelope.code === 0;
  }

  return { open, pass, close: (id: string | undefined) => sessions.delete(id ?? '') };
}

export async function send(baseUrl: string, { method, path, body }: Call, token?: string): Promise<Answer> {
  const answer = await fetch(baseUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body != null && { 'content-type': 'application/json' }),
    },
    ...(body != null && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, envelope: (await answer.json()) as Envelope };
}
