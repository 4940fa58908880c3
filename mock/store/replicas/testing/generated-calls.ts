// Random calls of the mock and its control API.
import fc from 'fast-check';
import { type Operation, operationsOf, writeQuery, writeRequest } from '../../../../openapi/operations.ts';
import { loadProfile } from '../../../../openapi/profile.ts';
import { resolve } from '../../../../openapi/resolve.ts';
import { samplesFor } from '../../../../openapi/samples.ts';
import { fillPath } from '../../../../openapi/template.ts';
import { basePath } from '../../../http/paths.ts';
import type { Answered, Call } from './called-mock.ts';

export interface Step {
  name: string;
  /** Index of the mock. */
  at: number;
  /** `a` and `b` are from 0 to 3 and select values. */
  a: number;
  b: number;
}

export type Caller = ReturnType<typeof createCaller>;

const profile = loadProfile('default');
const samples = samplesFor(profile).sent;
const operations = operationsOf(resolve(profile));
const users = [
  ['mei@harbour-cafe.example', 'demo-password-mei'],
  ['tom@harbour-cafe.example', 'demo-password-tom'],
  ['zoe@blumenladen.example', 'demo-password-zoe'],
  ['zoe@blumenladen.example', 'wrong'],
] as const;
const apiKey = 'sp_JMkq2hCqpCu02ytOHhp3ro8YOKEyauBT';
const events = ['publish.complete', 'publish.failed', 'content.publish', 'comment.created'] as const;

/** IDs of the demo world, and of objects that earlier calls may have created. */
function valuesOf({ a, b }: Step, receiver: string): Record<string, unknown> {
  const [username, password] = users[a] ?? users[0];
  return {
    ...samples,
    ...{ username, password, name: `Name ${b}`, title: `Title ${b}`, text: `${a}`, note: `note ${b}` },
    ...{ prompt: `${b}`, fields: { b }, events: events.slice(0, a + 1), channel: 'custom' },
    url: `${receiver}/${b % 2 ? 'well' : 'ill'}/${a}`,
    siteID: [101, 101, 201, 1001][b],
    contentID: [1, 9, 10, 11][a],
    version: 8 + a,
    keyID: b + 1,
    id: a + 1,
    subscriptionID: a + 1,
  };
}

/** Calls of the control API, with method and path in `line`. */
const controls: Readonly<Record<string, (step: Step, saved: unknown) => [line: string, body?: unknown]>> = {
  moveClock: ({ a }) => ['POST /clock', { advance: ['PT1S', 'PT1M', 'PT6M', 'PT3H'][a] }],
  causeEvent: ({ a, b }) => ['POST /events', { event: events[a], site_id: 101 + b }],
  redeliver: ({ a }) => [`POST /deliveries/${a + 1}/redeliver`],
  giveUp: ({ a }) => [`POST /deliveries/${a + 1}/give-up`],
  expireTokens: ({ a }) => ['POST /tokens/expire', a ? { username: users[a]?.[0] } : {}],
  clearLimits: () => ['DELETE /limits'],
  override({ a, b }) {
    const operation = ['listSites', 'publishSite', 'login', 'createKey'][a];
    const answer = b % 2 ? { status: 503 } : { code: 42901 };
    return ['POST /overrides', { operation, ...answer, times: 1 + (b >> 1) }];
  },
  prepareInbox: ({ b }) => ['PUT /inbox/ci', { respond: [500 + b, 200] }],
  message: ({ b }) => ['POST /inbox/ci', { message: b }],
  listMessages: () => ['GET /inbox/ci/messages'],
  overview: () => ['GET /overview'],
  deliveries: () => ['GET /deliveries'],
  requests: () => ['GET /requests'],
  clearRequests: () => ['DELETE /requests'],
  reset: ({ a }) => ['POST /reset', a === 0 ? {} : { tenant: 1 + (a % 2) }],
  save: () => ['GET /world'],
  restore: (_, saved) => (saved === undefined ? ['GET /clock'] : ['PUT /world', saved]),
};

export const kindsOfCalls = [...operations.map(({ id }) => id as string), ...Object.keys(controls)];

const weights: Record<string, number> = { login: 6, publishSite: 8, createSubscription: 6, moveClock: 8 };
const seldom = ['deleteSite', 'deleteKey'];
const small = fc.nat({ max: 3 });

export function stepsOf(mostSteps: number): fc.Arbitrary<Step[]> {
  const names = kindsOfCalls.map((name) => ({
    weight: weights[name] ?? (seldom.includes(name) ? 1 : 2),
    arbitrary: fc.constant(name),
  }));
  return fc.array(fc.record({ name: fc.oneof(...names), at: fc.nat({ max: 1 }), a: small, b: small }), {
    minLength: mostSteps / 2,
    maxLength: mostSteps,
    size: 'max',
  });
}

/** `receiver` is a URL without a path. */
export function createCaller(receiver: string) {
  /** Ended tokens stay in the list, so that calls with them are tested too. */
  const tokens = [apiKey];
  let saved: unknown;
  return {
    callOf(step: Step): Call {
      const { name, a } = step;
      const control = controls[name];
      if (control) {
        const [line, body] = control(step, saved);
        const [method, path] = line.split(' ') as [Call['method'], string];
        return { method, path: `/_mock${path}`, body };
      }
      const operation = operations.find(({ id }) => id === name) as Operation;
      const values = valuesOf(step, receiver);
      return {
        method: operation.method as Call['method'],
        path: basePath + fillPath(operation.path, values) + writeQuery(operation, values),
        body: writeRequest(operation, values),
        token: a === 3 ? apiKey : tokens[Math.max(0, tokens.length - 1 - a)],
      };
    },
    /** Remembers new tokens and saved worlds. */
    learn({ name }: Step, { status, body }: Answered): void {
      if (status !== 200 || body === '') return;
      const answer = JSON.parse(body) as { data?: { token?: string; key?: string } };
      if (name === 'save') saved = answer;
      for (const token of [answer.data?.token, answer.data?.key]) if (token) tokens.push(token);
    },
  };
}
