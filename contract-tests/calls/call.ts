// One call of an operation: built from the description, noted in the journal, sent, read and checked.

import { validateHeaderValue } from 'node:http';
import { getAt } from '../../openapi/json-pointer.ts';
import {
  namesIn,
  type Operation,
  type OperationId,
  writeQuery,
  writeRequest,
} from '../../openapi/operations.ts';
import { fillPath, placeholdersOf } from '../../openapi/template.ts';
import type { Context } from '../context.ts';
import { type Exchange, type RequestMessage, type SentRequest, succeeded } from '../core/exchange.ts';
import { HarnessError, NotApplicable, NotVerified } from '../core/outcomes.ts';
import { exactOf, isSameId, roundIntegers, writeJson } from '../core/parse-json.ts';
import { isPathPart, readValues } from '../core/read-values.ts';
import { creations, deletions } from '../deployment/created-resources.ts';
import { longestToken } from '../redaction/redact.ts';
import { isOnlyRateLimited } from './expect-answer.ts';
import { givenSites, listBefore, requireOwn } from './guard.ts';
import { keepExchange } from './keep-exchange.ts';
import { isFirstUse, newTokenMs, noteNewToken } from './new-tokens.ts';
import { changedBy } from './own-things.ts';
import { requireGoingOn, requireOwnAnswer, sendRequest } from './send-request.ts';

/** Differences of a call from the plain valid one. */
export interface CallOptions {
  /** Sent as Bearer; null for no Authorization. */
  token?: string | null;
  /** Added at last; they replace headers of the same name. */
  headers?: Record<string, string>;
  /** Makes the body wrong on purpose; such a request is not validated before it is sent. */
  spoil?: (body: unknown) => unknown;
  /** Sent as the body instead, such as text that is no JSON; not validated either. */
  rawBody?: string;
  mayBeReplayed?: boolean;
  /** Owning tenant of the created resource when the request names no site. */
  tenant?: 'main' | 'other';
}

type ValuesAndOptions = { values?: Record<string, unknown> } & CallOptions;

/** Calls an operation with values by name, path placeholders included, and checks the exchange. A new token may be refused at first. */
export async function call(
  context: Context,
  id: OperationId,
  options: ValuesAndOptions = {},
): Promise<Exchange> {
  const exchange = await callOnce(context, id, options);
  if (!isFirstUse(context, options.token) || succeeded(exchange)) return exchange;
  if (isOnlyRateLimited(context, exchange) || (await isKnown(context, id, options.token))) return exchange;
  await context.clock.pass(newTokenMs, 'a new token to take effect everywhere');
  return callOnce(context, id, options);
}

/** Whether the list of sites accepts a token. */
async function isKnown(context: Context, id: OperationId, token?: string | null): Promise<boolean> {
  const { auth } = context.operations.get('listSites') ?? {};
  if (id === 'listSites' || (auth !== 'bearer' && auth !== 'session')) return false;
  return succeeded(await callOnce(context, 'listSites', token === undefined ? {} : { token }));
}

/** The same, without waiting for a new token to be known. */
export async function callOnce(
  context: Context,
  id: OperationId,
  { values = {}, ...options }: ValuesAndOptions,
): Promise<Exchange> {
  requireGoingOn(context);
  const operation = operationOf(context, id);
  requireAccepted(context, operation, options.token);
  const request = buildRequest(context, operation, { values, ...options });
  const tenant =
    options.tenant ?? (isSameId(values.siteID, context.options.other?.siteId) ? 'other' : 'main');
  const given = givenSites(context);
  for (const thing of changedBy(operation, values, { tenant, given })) {
    const { refusal } = await requireOwn(context, thing, { token: options.token, send: callOnce });
    if (refusal) return refusal;
  }
  context.recorder?.noteCall(id);
  await listBefore(context, operation, { values, tenant, token: options.token, send: callOnce });
  const noteOutcome = announceCreation(context, operation, { values, tenant });
  const at = context.clock.now();
  const sent = noteRequest(context, { operation: id, values, at });
  const response = await sendRequest(context, operation, request);
  const isSentAgain = isRepeat(context, operation, { ...request, at });
  const exchange: Exchange = {
    operation: id,
    request,
    response,
    at,
    answeredAt: context.clock.now(),
    values: readValues(operation.success.layout, exactOf(response)),
    mayBeReplayed: options.mayBeReplayed ?? isSentAgain,
  };
  keepExchange(context, exchange);
  Object.assign(sent, { exchange, answeredAt: context.clock.now() });
  context.exchangeChecker.check(exchange);
  requireOwnAnswer(context, exchange);
  context.resources.ownership.noteRead(operation, exchange, { values, tenant });
  if (noteOutcome?.(exchange)) context.recorder?.noteCreated(id);
  const deletion = deletions[id];
  if (deletion && succeeded(exchange))
    context.resources.markDeleted(deletion.what, values[deletion.id], values.siteID);
  noteNewToken(context, exchange);
  return exchange;
}

function noteRequest(
  { requests }: Context,
  about: Pick<SentRequest, 'operation' | 'values' | 'at'>,
): SentRequest {
  const sent = { ...about, order: performance.now(), exchange: undefined, answeredAt: undefined };
  requests.push(sent);
  return sent;
}

/** How long after a request the same one may get its answer again, in milliseconds: the longest window of section 8, and what comes late. */
const replayMs = 35_000;

/** What is only read has a new answer each time. */
const reads: readonly OperationId[] = [
  ...(['listSites', 'getSite', 'listKeys', 'listSubscriptions', 'listDeliveries'] as const),
];

/** The first answer may be repeated for the same request; the document leaves open for which writes ("such as"), and how they are called. */
function isRepeat(
  { sent }: Context,
  { id }: Operation,
  { method, url, body, at }: RequestMessage & { at: number },
): boolean {
  if (method === 'GET' && reads.includes(id)) return false;
  const write = `${method} ${url}\n${body}`;
  const before = sent.get(write);
  sent.set(write, at);
  return before !== undefined && at - before < replayMs;
}

/** Notes in the journal what the call is about to create; the result notes the outcome. */
function announceCreation(
  { resources }: Context,
  operation: Operation,
  { values, tenant }: { values: Record<string, unknown>; tenant: 'main' | 'other' },
): ((exchange: Exchange) => boolean) | undefined {
  const creation = creations[operation.id];
  if (!creation) return undefined;
  // What is not sent can't be found in a list afterwards.
  const isSent = operation.gap === undefined || namesIn(operation).includes(creation.target);
  return resources.announce({
    what: creation.what,
    site: values.siteID,
    target: isSent ? String(values[creation.target] ?? '') : '',
    tenant,
  });
}

/** Throws NotApplicable where an operation takes session tokens only, or API keys only, and the call has the other. */
function requireAccepted(context: Context, { auth, gap }: Operation, token?: string | null): void {
  if (!token || (auth !== 'session' && auth !== 'api-key')) return;
  if (isApiKey(context, token) === (auth === 'api-key')) return;
  const kind = auth === 'session' ? 'a session token' : 'an API key';
  throw new NotApplicable(`the profile says that ${gap} accepts only ${kind} (auth: ${auth})`);
}

function isApiKey({ options, exchanges }: Context, token: string): boolean {
  return (
    token === options.apiKey ||
    token.startsWith('sp_') ||
    exchanges.some(({ operation, values }) => operation === 'createKey' && values.key === token)
  );
}

/** Identifiers are sent as the deployment gave them out, whatever their type is. */
function isIdentifier(body: unknown, at: string, values: Record<string, unknown>): boolean {
  const part = String(getAt(body, at));
  return Object.keys(values).some((name) => name.endsWith('ID') && String(values[name]) === part);
}

function operationOf(context: Context, id: OperationId): Operation {
  const operation = context.operations.get(id);
  if (!operation) throw new NotVerified(`the profile does not say how to call ${id}`);
  return operation;
}

function buildRequest(
  { options, validate, secrets }: Context,
  operation: Operation,
  { values, token, headers = {}, spoil, rawBody }: { values: Record<string, unknown> } & CallOptions,
): RequestMessage {
  const plain = writeRequest(operation, values);
  const body = spoil ? spoil(plain) : plain;
  const mismatches =
    operation.request && !spoil && rawBody === undefined
      ? validate(operation.request.schema, roundIntegers(body)).filter(
          ({ at }) => !isIdentifier(body, at, values),
        )
      : [];
  if (mismatches.length > 0) {
    const what = mismatches.map(({ at, message }) => `${at || 'the body'} ${message}`).join(', ');
    throw new HarnessError(
      `the suite's own request to ${operation.id} does not match the description: ${what}`,
    );
  }
  const text = rawBody ?? (body === undefined ? undefined : writeJson(body));
  requireFit(operation, values, token);
  const path = fillPath(operation.path, values);
  if (/\{\w+\}/.test(path)) throw new HarnessError(`the path of ${operation.id} is not filled: ${path}`);
  secrets.add('SITEPUB_WEBHOOK_SECRET', values.secret);
  return {
    method: operation.method,
    url: `${options.baseUrl}${path}${writeQuery(operation, values)}`,
    headers: {
      ...options.connection?.headers,
      ...(text !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: text,
  };
}

/** Throws NotVerified where a value would make the path another one, or no header can carry the token. */
export function requireFit(
  { id, path }: Pick<Operation, 'id' | 'path'>,
  values: Readonly<Record<string, unknown>>,
  token?: string | null,
): void {
  const unfit = placeholdersOf(path).find((name) => values[name] !== undefined && !isPathPart(values[name]));
  if (unfit !== undefined)
    throw new NotVerified(`the value for {${unfit}} would lead the call of ${id} to another path`);
  if (token && !isHeaderText(token))
    throw new NotVerified(`the token for ${id} has a character that headers cannot contain`);
  if (token && token.length > longestToken)
    throw new NotVerified(
      `the token for ${id} has ${token.length} characters, more than a header can contain`,
    );
}

function isHeaderText(text: string): boolean {
  try {
    validateHeaderValue('Authorization', text);
    return true;
  } catch {
    return false;
  }
}
