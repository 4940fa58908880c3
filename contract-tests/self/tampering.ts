import { createHmac, randomUUID } from 'node:crypto';
import { createRandom } from '../../openapi/testing/random-profile.ts';
import type { TamperPush } from './run-against-mock.ts';
import type { Message, Reply, Tamper } from './tampering-proxy.ts';

type Json = Record<string, unknown>;

interface Call {
  message: Message;
  status: number;
  code: unknown;
}

export function callOf(message: Message, { status, body }: Reply): Call {
  return { message, status, code: jsonOf(body).code };
}

export const any = () => true;
export const accepted = ({ code }: Call) => code === 0;
export const isLogin = ({ message }: Call) => message.path.endsWith('/auth/tenant/login');
export const isRefresh = ({ message }: Call) => message.path.endsWith('/auth/refresh');
export const isCreate = ({ message }: Call) => message.path.endsWith('/webhooks');
export const isTest = ({ message }: Call) => message.path.endsWith('/test');
/** The creation of a subscription. */
export const isCreation = isAbout('POST', /\/webhooks$/);
export const both = (one: (call: Call) => boolean, other: (call: Call) => boolean) => (call: Call) =>
  one(call) && other(call);

/** Sends a push to each new subscription `ms` after its creation. */
export function greeting(ms: number): Tamper {
  return async (message, forward) => {
    const reply = await forward(message);
    const { url } = jsonOf(message.body) as { url?: string };
    const call = callOf(message, reply);
    if (url !== undefined && isCreate(call) && accepted(call))
      setTimeout(() => void fetch(url, { method: 'POST', body: '{"event":"ping"}' }).catch(() => {}), ms);
    return reply;
  };
}

export function answering(when: (call: Call) => boolean, change: (body: Json) => unknown): Tamper {
  return async (message, forward) => {
    const reply = await forward(message);
    if (!when(callOf(message, reply))) return reply;
    return withJson(reply, change(jsonOf(reply.body)));
  };
}

/** Changes the data of successful answers. */
export function changingData(when: (call: Call) => boolean, change: (data: Json) => object): Tamper {
  return answering(both(when, accepted), (body) => ({ ...body, data: change(dataOf(body)) }));
}

export function isAbout(method: string, path: RegExp): (message: Message) => boolean {
  return (message) => message.method === method && path.test(message.path);
}

/** Changes bodies and status of successful answers. */
export function changing(
  when: (message: Message) => boolean,
  change: (body: Json, message: Message) => object,
  status?: number,
): Tamper {
  return async (message, forward) => {
    const reply = await forward(message);
    if (!when(message) || reply.status >= 300) return reply;
    const changed = withJson(reply, change(jsonOf(reply.body), message));
    return { ...changed, status: status ?? reply.status };
  };
}

export function withJson<Sent extends Message | Reply>(sent: Sent, body: unknown): Sent {
  return { ...sent, body: Buffer.from(JSON.stringify(body)) };
}

/** Replaces a call by a GET. */
export function reading(message: Message, path = message.path): Message {
  return { ...message, method: 'GET', path, body: Buffer.from('') };
}

export function lose(): never {
  throw Object.assign(new Error('the answer is lost'), { code: 'LOST' });
}

/** Loses a share of the answers after the calls take effect. */
export function losing(share: number, seed: number): Tamper {
  const random = createRandom(seed);
  return async (message, forward) => {
    const reply = await forward(message);
    return random.chance(share) ? lose() : reply;
  };
}

/** Replays the first answer to an identical call for ten seconds. */
export function replaying(): Tamper {
  const answers = new Map<string, { until: number; reply: ReturnType<Tamper> }>();
  return (message, forward) => {
    if (message.method !== 'POST') return forward(message);
    const call = [message.path, message.headers.authorization, message.body.toString()].join('\n');
    const known = answers.get(call);
    if (known && Date.now() < known.until) return known.reply;
    const reply = forward(message);
    answers.set(call, { until: Date.now() + 10_000, reply });
    return reply;
  };
}

/** Refuses calls that the mock accepts. */
export function strict(when: (call: Call) => boolean, isWrong: (call: { body: Json }) => boolean): Tamper {
  return async (message, forward) => {
    const reply = await forward(message);
    const call = callOf(message, reply);
    return accepted(call) && when(call) && isWrong({ body: jsonOf(message.body) })
      ? refuse(400, 40002)
      : reply;
  };
}

/** Refuses calls instead of forwarding them. */
export function refusing(when: (message: Message) => boolean, status: number, code = status * 100): Tamper {
  return (message, forward) => (when(message) ? refuse(status, code) : forward(message));
}

export function refuse(status: number, code: number): Reply {
  return answer(status, { code, message: 'refused on purpose' });
}

export function succeed(status: number, data: object): Reply {
  return answer(status, { code: 0, message: 'success', data });
}

function answer(status: number, rest: Json): Reply {
  const body = { ...rest, trace_id: randomUUID() };
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
}

/** A page of a gateway. */
export function htmlPage(status: number, text: string, headers: Reply['headers'] = {}): Reply {
  return { status, headers: { 'content-type': 'text/html', ...headers }, body: Buffer.from(text) };
}

export function withBody(message: Message, change: (body: Json) => unknown): Message {
  const body = jsonOf(message.body);
  return Object.keys(body).length === 0 ? message : withJson(message, change(body));
}

/** Changes and signs pushes on the custom channel. */
export function changePushBody(change: (body: Json) => unknown): TamperPush {
  return (push, secret) => {
    if (!isCustom(push)) return push;
    const body = Buffer.from(JSON.stringify(change(jsonOf(push.body))));
    return withSignature({ ...push, body }, secret, body);
  };
}

/** Changes and signs the texts of pushes. */
export function changePushText(change: (text: string) => string): TamperPush {
  return (push, secret) => {
    const body = Buffer.from(change(push.body.toString()));
    return withSignature({ ...push, body }, secret, body);
  };
}

export function isCustom({ body }: Message): boolean {
  return 'site_id' in jsonOf(body);
}

function withSignature(push: Message, secret: string | undefined, signed: Buffer): Message {
  if (secret === undefined) return push;
  const hex = createHmac('sha256', secret).update(signed).digest('hex');
  return withHeader(push, 'x-webhook-signature', `sha256=${hex}`);
}

function withHeader(push: Message, name: string, value: string): Message {
  return { ...push, headers: { ...push.headers, [name]: value } };
}

export function dataOf({ data }: Json): Json {
  return data as Json;
}

export function jsonOf(body: Buffer): Json {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}
