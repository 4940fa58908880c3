import { type Description, mediaTypeOf } from '../../openapi/description.ts';
import { codeOf, type ErrorKind, statusOf } from '../../openapi/error-codes.ts';
import type { Json } from '../../openapi/json.ts';
import { namesIn, type Operation, operationsOf } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import { findGap } from '../../openapi/registers.ts';
import { ApiError } from '../http/api-errors.ts';
import { renderFailure } from '../http/render-envelope.ts';
import { isNamedWrite } from '../request/idempotency.ts';
import { limitOf } from '../request/rate-limits.ts';

const meanings = findGap('errors.codes')?.meanings as Record<ErrorKind, string>;

const ofAnyCall: readonly ErrorKind[] = [
  'malformed-request',
  'request-timeout',
  'header-too-large',
  'internal',
];

/** Without the errors of any call. */
function failuresOf(operation: Operation, { values }: Profile): ErrorKind[] {
  const { id, auth, request, query = [] } = operation;
  const takes = (name: string) => namesIn(operation).includes(name);
  const canHave: Partial<Record<ErrorKind, boolean>> = {
    'malformed-json': request !== undefined,
    'invalid-request': request !== undefined || query.length > 0,
    'body-too-large': request !== undefined,
    'unsupported-media-type': request !== undefined,
    unauthenticated: auth !== 'none',
    'token-expired': auth === 'bearer' || auth === 'session',
    'bad-credentials': id === 'login',
    'account-locked': id === 'login' && values['login.lock-out'] !== 'none',
    'unknown-site': takes('siteID'),
    'foreign-site': takes('siteID') && auth !== 'none',
    'unknown-subscription': takes('subscriptionID') || id === 'testSubscription',
    'unknown-resource': takes('contentID') || takes('keyID') || takes('version'),
    'key-quota': id === 'createKey',
    'subscription-quota': id === 'createSubscription' && values['subscription.quota'] !== 'none',
    'publish-under-way': /^(publishSite|failPublish)$/.test(id) && values['publish.concurrent'] === 'refused',
    'call-in-progress': isNamedWrite(id) && values['idempotency.in-progress'] === 'refused',
    'rate-limited': limitOf[id] !== undefined,
  };
  return (Object.keys(canHave) as ErrorKind[]).filter((kind) => canHave[kind]);
}

/** Adds to each operation a response per HTTP status of its errors, with an example per kind. */
export function addFailures(description: Description, profile: Profile): void {
  for (const operation of operationsOf(description)) {
    const object = description.paths[operation.path]?.[operation.method.toLowerCase()] as Json;
    const responses = object.responses as Record<string, Json>;
    for (const kind of failuresOf(operation, profile)) addFailure(responses, kind, profile);
    const { default: others, ...stated } = responses;
    object.responses = { ...stated, ...(others && { default: ofAny(profile) }) };
  }
}

function addFailure(responses: Record<string, Json>, kind: ErrorKind, profile: Profile): void {
  const status = String(statusOf(profile, kind));
  const found = responses[status];
  const response = found && found.$ref === undefined ? found : { description: '', content: contentWith({}) };
  const media = mediaTypeOf(response) ?? {};
  const line = lineOf(kind, profile);
  const before = String(response.description);
  if (before.includes(line)) return;
  response.description = before === '' ? line : `${before}\n\n${line}`;
  media.examples = { ...(media.examples as Json), [kind]: exampleOf(kind, profile) };
  responses[status] = response;
}

function contentWith(examples: Json): Json {
  return { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, examples } };
}

function lineOf(kind: ErrorKind, profile: Profile): string {
  return `\`${codeOf(profile, kind)}\` ${kind}: ${meanings[kind]}.`;
}

function ofAny(profile: Profile): Json {
  const lines = ofAnyCall.map((kind) => `${lineOf(kind, profile)} HTTP ${statusOf(profile, kind)}.`);
  const examples = Object.fromEntries(ofAnyCall.map((kind) => [kind, exampleOf(kind, profile)]));
  return {
    description: ['Any call may fail with these errors:', ...lines].join('\n\n'),
    content: contentWith(examples),
  };
}

function exampleOf(kind: ErrorKind, profile: Profile): Json {
  const { body } = renderFailure(profile, new ApiError(kind, meanings[kind]), '2f7adca91b0e4c55');
  return { summary: `${codeOf(profile, kind)} ${kind}`, value: JSON.parse(body) };
}
