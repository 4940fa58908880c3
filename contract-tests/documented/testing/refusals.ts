// Documented errors, the operations that can answer with them, and calls that cause them.
import { examplesOf, mediaTypeOf } from '../../../openapi/description.ts';
import { codeOf, type ErrorKind } from '../../../openapi/error-codes.ts';
import type { Json } from '../../../openapi/json.ts';
import { type Operation, schemaAt } from '../../../openapi/operations.ts';
import type { Profile } from '../../../openapi/profile.ts';
import { type BlackBox, type Described, describedAt, type Values } from './black-box.ts';
import { callOf, carries, type Message, prepare, schemesOf, send, tokenFor } from './calls.ts';

export interface Refusal {
  kind: ErrorKind;
  /** The mistake in the call, for the test title. */
  what: string;
  /** Whether the operation can answer with this error, by its description. */
  isOf(described: Described, operation: Operation): boolean;
  /** Builds a call with only this mistake. */
  call(box: BlackBox, operation: Operation): Promise<Message>;
}

const needsCaller = (described: Described, operation: Operation) =>
  schemesOf(described, operation).length > 0;
const needsBody = (_: Described, { request }: Operation) => request?.required === true;
/** Errors that any operation can cause are tested with one. */
const isAny = (_: Described, { id }: Operation) => id === 'login';

export const refusals: readonly Refusal[] = [
  {
    kind: 'unauthenticated',
    what: 'without Authorization',
    isOf: needsCaller,
    call: changed(({ headers: { authorization: _, ...headers } }) => ({ headers })),
  },
  {
    kind: 'unauthenticated',
    what: 'with an unknown token',
    isOf: needsCaller,
    call: changed(({ headers }) => ({ headers: { ...headers, authorization: 'Bearer st_unknown' } })),
  },
  {
    kind: 'token-expired',
    what: 'with an expired session token',
    isOf: (described, operation) => schemesOf(described, operation).includes('sessionToken'),
    call: withEndedToken,
  },
  {
    kind: 'bad-credentials',
    what: 'with a wrong password',
    isOf: (_, operation) => carries(operation, 'password'),
    call: withValues(() => ({ password: 'wrong' })),
  },
  {
    kind: 'foreign-site',
    what: "on another tenant's site",
    isOf: (described, operation) => carries(operation, 'siteID') && needsCaller(described, operation),
    call: withValues(({ foreignSite }) => ({ siteID: foreignSite })),
  },
  {
    kind: 'unknown-site',
    what: 'on an unknown site',
    isOf: (_, operation) => carries(operation, 'siteID'),
    call: withValues(() => ({ siteID: 999_999 })),
  },
  {
    kind: 'unknown-subscription',
    what: 'for an unknown subscription',
    isOf: (_, operation) => carries(operation, 'id', 'subscriptionID'),
    call: withValues(() => ({ id: unknownId, subscriptionID: unknownId })),
  },
  {
    kind: 'unknown-resource',
    what: 'for an unknown resource',
    isOf: (_, operation) => carries(operation, 'contentID', 'keyID', 'version'),
    call: withValues(() => ({ contentID: 999_999, keyID: 999_999, version: 999_999 })),
  },
  {
    kind: 'malformed-json',
    what: 'with a truncated body',
    isOf: needsBody,
    call: changed(({ body = '' }) => ({ body: body.slice(0, -1) })),
  },
  {
    kind: 'invalid-request',
    what: 'with an empty object',
    isOf: ({ description }, { request }) =>
      request !== undefined && Array.isArray(schemaAt(description, request.schema).required),
    call: changed(() => ({ body: '{}' })),
  },
  {
    kind: 'invalid-request',
    what: 'with a list',
    isOf: needsBody,
    call: changed(() => ({ body: '[]' })),
  },
  {
    kind: 'unsupported-media-type',
    what: 'with a body of plain text',
    isOf: needsBody,
    call: changed(({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } })),
  },
  {
    kind: 'body-too-large',
    what: 'with a body of more than a mebibyte',
    isOf: needsBody,
    call: changed(({ body = '' }) => ({ body: body + ' '.repeat(2 ** 20) })),
  },
  {
    kind: 'rate-limited',
    what: 'the eleventh time in a minute',
    isOf: (described, operation) => promises(described, operation).some((id) => id.startsWith('LIMIT-')),
    call: afterMany(10),
  },
  {
    kind: 'key-quota',
    what: 'for a sixth key',
    isOf: (described, operation) => promises(described, operation).includes('KEY-2'),
    // The demo world has one key.
    call: afterMany(4),
  },
  {
    kind: 'method-not-allowed',
    what: 'by PATCH',
    isOf: () => true,
    call: changed(() => ({ method: 'PATCH' })),
  },
  {
    kind: 'unknown-path',
    what: 'at an unknown path',
    isOf: isAny,
    call: changed(({ path }) => ({ path: `/nowhere${path}` })),
  },
  {
    kind: 'header-too-large',
    what: 'with a header of more than 16 KiB',
    isOf: isAny,
    call: changed(({ headers }) => ({ headers: { ...headers, 'x-long': 'a'.repeat(2 ** 14) } })),
  },
];

const unknownId = '5f0c9a52-7d0e-4b7c-9a0e-000000000000';

/** Errors that these tests do not cause: a call that is not HTTP, a minute of real time, a bug in the mock. */
const uncaused: readonly ErrorKind[] = ['malformed-request', 'request-timeout', 'internal'];

/** Errors that deployments with these values never answer with. */
const impossible = [
  ['account-locked', 'login.lock-out', 'none'],
  ['subscription-quota', 'subscription.quota', 'none'],
  ['publish-under-way', 'publish.concurrent', 'accepted'],
  ['call-in-progress', 'idempotency.in-progress', 'waits'],
] as const;

export function uncausedWith({ values }: Profile): readonly ErrorKind[] {
  return [...uncaused, ...impossible.flatMap(([kind, gap, value]) => (values[gap] === value ? kind : []))];
}

function promises(described: Described, operation: Operation): string[] {
  return [describedAt(described, operation)['x-requirement'] ?? []].flat().map(String);
}

function changed(change: (message: Message) => Partial<Message>): Refusal['call'] {
  return async (box, operation) => {
    const message = await callOf(box, operation);
    return { ...message, ...change(message) };
  };
}

function withValues(different: (box: BlackBox) => Values): Refusal['call'] {
  return async (box, operation) => {
    const values = { ...(await prepare(box, operation)), ...different(box) };
    return callOf(box, operation, { values });
  };
}

/** Waits for the end of the refresh window, because a renewal accepts an expired token until then. */
async function withEndedToken(box: BlackBox, operation: Operation): Promise<Message> {
  const token = await tokenFor(box, 'sessionToken');
  const { 'token.lifetime': lifetime, 'refresh.window': window } = box.profile.values;
  await box.control.advance(`PT${lifetime + window + 1}S`);
  const message = await callOf(box, operation);
  return { ...message, headers: { ...message.headers, authorization: `Bearer ${token}` } };
}

/** Makes `count` other calls first, with different texts, because equal calls would be repetitions. */
function afterMany(count: number): Refusal['call'] {
  return async (box, operation) => {
    const { status } = operation.success;
    for (let turn = 1; turn <= count; turn += 1) {
      const values = {
        ...box.sent,
        name: `key ${turn}`,
        note: `draft ${turn}`,
        prompt: `question ${turn}`,
      };
      await send(box, await callOf(box, operation, { values })).expectStatus(status);
    }
    return callOf(box, operation);
  };
}

export function refusalExample({ description, profile }: BlackBox, kind: ErrorKind): Json {
  const [example] = examplesOf(mediaTypeOf(description.components.responses.Failure));
  return { ...(example?.value as Json), code: codeOf(profile, kind), message: /\S/, trace_id: /\S/ };
}
