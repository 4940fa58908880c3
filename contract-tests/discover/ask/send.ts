// Sends requests. Repeats them after lost answers, rate refusals and failures.
import type { OperationId } from '../../../openapi/operations.ts';
import { patienceFor } from '../../calls/send-request.ts';
import { type Exchange, type RequestMessage, succeeded } from '../../core/exchange.ts';
import { askedPauseMs, failurePausesMs, isFailure } from '../../core/failures.ts';
import { Unreachable } from '../../core/outcomes.ts';
import { exactOf, writeJson } from '../../core/parse-json.ts';
import { learnTokens } from '../../redaction/learn-tokens.ts';
import { mayWait, type Probe, Stop } from '../probe.ts';
import { explainUnexpectedAnswer, hasEnvelope, isRateRefusal, isSameError, kindOfError } from './refusals.ts';

export interface ProbeRequest {
  operation?: OperationId;
  method?: string;
  path: string;
  /** Bearer token; undefined sends no Authorization. */
  token?: string | undefined;
  body?: unknown;
  /** Replaces `body`, for text that is not JSON. */
  rawBody?: string;
  headers?: Record<string, string>;
  /** Sent only once, because a repetition would have another meaning. */
  isOnce?: boolean;
  /** A gateway may close the connection, so a lost answer says nothing about the network. */
  mayBeCut?: boolean;
  /** Also returns rate refusals and failures. */
  anyAnswer?: boolean;
}

/** Give up after this many lost answers in a row. */
const mostLost = 4;
/** Repetitions after a rate refusal. */
const mostRetries = 3;

/**
 * Throws Unreachable without a meaningful answer, and Stop if the discovery cannot continue. Logins and `isOnce` requests return any answer,
 * because the caller repeats them.
 */
export async function sendRequest(probe: Probe, wanted: ProbeRequest): Promise<Exchange> {
  const send = () => sendUntilLetThrough(probe, wanted);
  if (wanted.isOnce || wanted.operation === 'login') return send();
  const exchange = await untilSettled(probe, send, wanted);
  if (wanted.anyAnswer || !isRefusedForRate(exchange)) return exchange;
  throw lost(probe, exchange, wanted);
}

interface Settling {
  anyAnswer?: boolean;
  /** A login with a wrong password, repeated at most once because several lock the user out. */
  mayLockOut?: boolean;
  mayBeCut?: boolean;
}

/**
 * Repeats a call after 5xx. If each repetition gets the same answer in the envelope, it is the deployment's answer to this request. Any other
 * failure counts as a lost answer.
 */
export async function untilSettled(
  probe: Probe,
  send: () => Promise<Exchange>,
  options: Settling = {},
): Promise<Exchange> {
  const { failures: seen } = probe.seen;
  let latest = await send();
  const failures: Exchange[] = [];
  for (const pauseMs of options.mayLockOut ? failurePausesMs.slice(0, 1) : failurePausesMs) {
    if (!isFailure(latest)) break;
    failures.push(latest);
    if ((options.mayLockOut || failures.length > 1) && seen.lasting.has(kindOfError(latest))) break;
    await probe.clock.pass(Math.max(pauseMs, askedPauseMs(latest)), 'the retry of a failed call');
    latest = await send();
  }
  for (const failure of failures) if (!isSameError(failure, latest)) seen.passing.add(kindOfError(failure));
  if (!isFailure(latest)) return latest;
  const isLasting = hasEnvelope(latest) && failures.every((one) => isSameError(one, latest));
  if (isLasting) seen.lasting.add(kindOfError(latest));
  if (isLasting || options.anyAnswer) return latest;
  throw lost(probe, latest, options);
}

function lost(probe: Probe, exchange: Exchange, { mayBeCut }: Settling): Unreachable {
  const { method, url } = exchange.request;
  const call = `${method} ${new URL(url).pathname}`;
  const error = new Unreachable(explainUnexpectedAnswer(probe, exchange, call).message);
  if (!mayBeCut) noteLost(probe, error);
  return error;
}

/** Repeats a request after rate refusals. */
async function sendUntilLetThrough(probe: Probe, wanted: ProbeRequest): Promise<Exchange> {
  const once = () => sendOnce(probe, wanted);
  const send = wanted.isOnce ? once : () => untilAnswered(once);
  let latest = await send();
  for (let retry = 0; retry < mostRetries; retry++) {
    const waitMs = Number(latest.response.headers['retry-after'] ?? pacedMs / 1_000) * 1_000;
    if (!isRefusedForRate(latest) || !mayWait(probe, waitMs)) break;
    await probe.clock.pass(waitMs, 'the rate limit of the deployment');
    latest = await send();
  }
  return latest;
}

/** Pace of a limit of one call per six seconds, with a margin. */
export const pacedMs = 6_300;

/** Only a login counts by its message: other calls may exceed a quota, which no wait changes. */
function isRefusedForRate(exchange: Exchange): boolean {
  if (succeeded(exchange)) return false;
  return exchange.operation === 'login' ? isRateRefusal(exchange) : exchange.response.status === 429;
}

export async function untilAnswered(send: () => Promise<Exchange>): Promise<Exchange> {
  return (await unlessLost(send)) ?? send();
}

/** Undefined if the answer is lost, so that the step can continue. */
export async function unlessLost<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Unreachable) return undefined;
    throw error;
  }
}

async function sendOnce(probe: Probe, wanted: ProbeRequest): Promise<Exchange> {
  throwIfInterrupted(probe);
  const { clock, seen, secrets } = probe;
  const { operation = 'refresh' } = wanted;
  const request = messageOf(probe, wanted);
  seen.requests++;
  const at = clock.now();
  try {
    const answer = await seen.losses.measure(probe.send(request, patienceFor(operation)));
    const response = { ...answer, json: exactOf(answer) };
    if (!isFailure({ response })) seen.losses.inARow = 0;
    const answeredAt = clock.now();
    const exchange = { operation, request, response, at, values: {}, answeredAt, mayBeReplayed: false };
    learnTokens({ exchanges: [exchange], secrets });
    return exchange;
  } catch (error) {
    if (error instanceof Unreachable && !wanted.mayBeCut) noteLost(probe, error);
    throw error;
  }
}

export function throwIfInterrupted({ options }: Probe): void {
  if (options.signal?.aborted) throw new Stop('interrupted', 'interrupted');
}

function noteLost({ seen: { losses }, options }: Probe, { message }: Unreachable): void {
  losses.note();
  const reason = losses.explain(message);
  if (reason !== undefined) throw new Stop('unreachable', reason);
  if (losses.inARow < mostLost) return;
  throw new Stop(
    'unreachable',
    `${options.baseUrl} can't be reached: ${message}, ${mostLost} times in a row`,
  );
}

function messageOf({ options }: Probe, wanted: ProbeRequest): RequestMessage {
  const { method = 'POST', path, token, headers = {} } = wanted;
  const body = wanted.rawBody ?? (wanted.body === undefined ? undefined : writeJson(wanted.body));
  return {
    method,
    url: `${options.baseUrl}${path}`,
    headers: {
      ...options.connection?.headers,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body,
  };
}

/** How long a change may take to be visible everywhere, in milliseconds. */
export const newMs = 2_000;

export function waitForNew({ clock }: Probe): Promise<void> {
  return clock.pass(newMs, 'a change to be visible everywhere');
}

/** Repeats a refused call once, a little later. */
export function untilAccepted(probe: Probe, send: () => Promise<Exchange>): Promise<Exchange> {
  return untilAcceptedBy(probe, send, succeeded);
}

export async function untilAcceptedBy<T>(
  probe: Probe,
  call: () => Promise<T>,
  isAccepted: (result: T) => boolean,
): Promise<T> {
  const first = await call();
  if (isAccepted(first)) return first;
  const second = await later(probe, async () => {
    const again = await call();
    return isAccepted(again) ? again : undefined;
  });
  return second ?? first;
}

/** If this succeeds, later steps also wait after changes. */
export async function later<T>(probe: Probe, again: () => Promise<T | undefined>): Promise<T | undefined> {
  await waitForNew(probe);
  const result = await again();
  if (result !== undefined) probe.seen.settlesLate = true;
  return result;
}
