// One call of an operation: built from the description, entered in the journal, sent, read and judged in passing.
import {
  type Operation,
  type OperationId,
  readLayout,
  writeQuery,
  writeRequest,
} from '../../openapi/operations.ts';
import { fillPath } from '../../openapi/template.ts';
import { type Context, interrupted } from '../context.ts';
import { type Exchange, type RequestMessage, succeeded } from '../core/exchange.ts';
import { HarnessError, NotVerified } from '../core/outcomes.ts';
import { creations, deletions } from '../deployment/created-resources.ts';
import { learnTokens } from '../redaction/learn-tokens.ts';

/** How a call differs from the plain valid one. */
export interface CallOptions {
  /** Sent as Bearer; null for no Authorization at all. */
  token?: string | null;
  /** Replaces or adds headers, after everything else. */
  headers?: Record<string, string>;
  /** Makes the body wrong on purpose; such a request is not held against the description before it leaves. */
  spoil?: (body: unknown) => unknown;
  /** The same, for what is no JSON. */
  rawBody?: string;
  mayBeReplayed?: boolean;
  /** Whose what is created will be, where no site tells it. */
  tenant?: 'main' | 'other';
}

/** Calls an operation with values by their names (path placeholders included) and judges the answer in passing. */
export async function call(
  context: Context,
  id: OperationId,
  { values = {}, ...options }: { values?: Record<string, unknown> } & CallOptions = {},
): Promise<Exchange> {
  if (context.signal.aborted && !context.isCleaningUp) throw new NotVerified(interrupted);
  const operation = operationOf(context, id);
  const request = buildRequest(context, operation, { values, ...options });
  context.recorder?.noteCall(id);
  const created = announce(context, id, { values, ...options });
  const at = context.clock.now();
  const response = await track(context, context.send(request));
  const read = readLayout(operation.success.layout, response.json);
  const isSentAgain = isRepeat(context, operation, request);
  const exchange = {
    operation: id,
    request,
    response,
    at,
    values: read,
    mayBeReplayed: options.mayBeReplayed ?? isSentAgain,
  };
  context.exchanges.push(exchange);
  learnTokens({ exchanges: [exchange], secrets: context.secrets });
  created?.(exchange);
  const deletion = deletions[id];
  if (deletion && succeeded(exchange)) context.resources.remove(deletion.what, values[deletion.id]);
  context.checkExchange.judge(exchange);
  return exchange;
}

async function track<T>({ inFlight }: Context, work: Promise<T>): Promise<T> {
  inFlight.add(work);
  try {
    return await work;
  } finally {
    inFlight.delete(work);
  }
}

/** A write that was sent before, word for word, may be answered with its first answer; which writes are is left open ("such as"). */
function isRepeat({ sent }: Context, { id, gap, method }: Operation, { url, body }: RequestMessage): boolean {
  if ((gap === undefined && id !== 'createSubscription') || method === 'GET') return false;
  const write = JSON.stringify([id, url, body]);
  if (sent.has(write)) return true;
  sent.add(write);
  return false;
}

/** Nothing is created that has not been entered before. */
function announce(
  { resources, options }: Context,
  id: OperationId,
  { values, tenant }: { values: Record<string, unknown> } & CallOptions,
): ((exchange: Exchange) => void) | undefined {
  const creation = creations[id];
  if (!creation) return undefined;
  const site = values.siteID;
  const isOfOther = site !== undefined && site === options.other?.siteId;
  return resources.intend({
    what: creation.what,
    site,
    target: String(values[creation.target] ?? ''),
    tenant: tenant ?? (isOfOther ? 'other' : 'main'),
  });
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
    operation.request && !spoil && rawBody === undefined ? validate(operation.request.schema, body) : [];
  if (mismatches.length > 0) {
    const what = mismatches.map(({ at, message }) => `${at || 'the body'} ${message}`).join(', ');
    throw new HarnessError(
      `the suite's own request to ${operation.id} does not fit the description: ${what}`,
    );
  }
  const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
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
