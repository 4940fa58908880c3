// One call of an operation: built from the description, noted in the journal, sent, read and checked.
import {
  type Operation,
  type OperationId,
  readLayout,
  writeQuery,
  writeRequest,
} from '../../openapi/operations.ts';
import { fillPath } from '../../openapi/template.ts';
import type { Context } from '../context.ts';
import { type Exchange, type RequestMessage, type SentRequest, succeeded } from '../core/exchange.ts';
import { HarnessError, NotApplicable, NotVerified } from '../core/outcomes.ts';
import { isSameId, parseExactly, roundIntegers, writeJson } from '../core/parse-json.ts';
import { creations, deletions } from '../deployment/created-resources.ts';
import { learnTokens } from '../redaction/learn-tokens.ts';
import { requireGoingOn, sendRequest } from './send-request.ts';

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

/** Calls an operation with values by name (path placeholders included), and checks the exchange. */
export async function call(
  context: Context,
  id: OperationId,
  { values = {}, ...options }: { values?: Record<string, unknown> } & CallOptions = {},
): Promise<Exchange> {
  requireGoingOn(context);
  const operation = operationOf(context, id);
  requireAccepted(context, operation, options.token);
  const request = buildRequest(context, operation, { values, ...options });
  context.recorder?.noteCall(id);
  const noteOutcome = announceCreation(context, id, { values, ...options });
  const at = context.clock.now();
  const sent = noteRequest(context, { operation: id, values, at });
  const response = await sendRequest(context, operation, request);
  const isSentAgain = isRepeat(context, request, at);
  const exchange = {
    operation: id,
    request,
    response,
    at,
    answeredAt: context.clock.now(),
    values: readLayout(operation.success.layout, parseExactly(response.text)),
    mayBeReplayed: options.mayBeReplayed ?? isSentAgain,
  };
  context.exchanges.push(exchange);
  Object.assign(sent, { exchange, answeredAt: context.clock.now() });
  learnTokens({ exchanges: [exchange], secrets: context.secrets });
  noteOutcome?.(exchange);
  const deletion = deletions[id];
  if (deletion && succeeded(exchange)) context.resources.markDeleted(deletion.what, values[deletion.id]);
  context.exchangeChecker.check(exchange);
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

/** The first answer may be repeated for the same request; the document leaves open for which writes ("such as"). */
function isRepeat({ sent }: Context, { method, url, body }: RequestMessage, at: number): boolean {
  if (method === 'GET') return false;
  const write = JSON.stringify([method, url, body]);
  const before = sent.get(write);
  sent.set(write, at);
  return before !== undefined && at - before < replayMs;
}

/** Notes in the journal what the call is about to create; the result notes the outcome. */
function announceCreation(
  { resources, options }: Context,
  id: OperationId,
  { values, tenant }: { values: Record<string, unknown> } & CallOptions,
): ((exchange: Exchange) => void) | undefined {
  const creation = creations[id];
  if (!creation) return undefined;
  const site = values.siteID;
  const isOfOther = isSameId(site, options.other?.siteId);
  return resources.announce({
    what: creation.what,
    site,
    target: String(values[creation.target] ?? ''),
    tenant: tenant ?? (isOfOther ? 'other' : 'main'),
  });
}

/** Throws NotApplicable where an operation takes session tokens only, or API keys only, and the call has the other. */
function requireAccepted(context: Context, { auth, gap }: Operation, token?: string | null): void {
  if (!token || (auth !== 'session' && auth !== 'api-key')) return;
  if (isApiKey(context, token) === (auth === 'api-key')) return;
  const kind = auth === 'session' ? 'a session token' : 'an API key';
  throw new NotApplicable(`the profile says that ${gap} takes ${kind} only (auth: ${auth})`);
}

function isApiKey({ options, exchanges }: Context, token: string): boolean {
  return (
    token === options.apiKey ||
    token.startsWith('sp_') ||
    exchanges.some(({ operation, values }) => operation === 'createKey' && values.key === token)
  );
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
      ? validate(operation.request.schema, roundIntegers(body))
      : [];
  if (mismatches.length > 0) {
    const what = mismatches.map(({ at, message }) => `${at || 'the body'} ${message}`).join(', ');
    throw new HarnessError(
      `the suite's own request to ${operation.id} does not match the description: ${what}`,
    );
  }
  const text = rawBody ?? (body === undefined ? undefined : writeJson(body));
  const path = fillPath(operation.path, values);
  if (/\{\w+\}/.test(path)) throw new HarnessError(`the path of ${operation.id} is not filled: ${path}`);
  secrets.add('SITEPUB_WEBHOOK_SECRET', values.secret);
  return {
    method: operation.method,
    url: `${options.baseUrl}${path}${writeQuery(operation, values)}`,
    headers: {
      ...(text !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: text,
  };
}
