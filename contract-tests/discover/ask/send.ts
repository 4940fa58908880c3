// How a discovery asks the deployment: a lost answer is asked for once more, a refusal for the rate of calls is waited out, and a call that failed
// is made again.
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
  /** Sent as Bearer; none for no Authorization at all. */
  token?: string | undefined;
  body?: unknown;
  /** In place of `body`, for what is not JSON. */
  rawBody?: string;
  headers?: Record<string, string>;
  /** Sent once only: its repetition would mean something else. */
  isOnce?: boolean;
  /** A gateway may close its connection: such a loss says nothing about the network. */
  mayBeCut?: boolean;
  /** Returns whatever came last, be it the answer to too many calls or to one that failed. */
  anyAnswer?: boolean;
}

/** This many lost answers in a row end the discovery. */
const mostLost = 4;
/** How often a call that was refused for its rate is made again. */
const mostRetries = 3;

/**
 * Sends a request. Throws Unreachable when there is no answer, or none that says anything of it, and Stop when the discovery can't go on. What is sent once only is returned with any answer, and so are logins: the caller may make them again.
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
  /** A login with a wrong password, of which a few lock the user out: it is made again once at most. */
  mayLockOut?: boolean;
  mayBeCut?: boolean;
}

/**
 * Makes a call again that was answered with 5xx, by the service or something in front of it. What is answered alike each time, and in the
 * envelope, is what the deployment answers to this request. Any other failure says nothing of the request: it is as good as a lost answer.
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
    await probe.clock.pass(Math.max(pauseMs, askedPauseMs(latest)), 'a call that failed to be made again');
    latest = await send();
  }
  for (const failure of failures) if (!isSameError(failure, latest)) seen.passing.add(kindOfError(failure));
  if (!isFailure(latest)) return latest;
  const isLasting = hasEnvelope(latest) && failures.every((one) => isSameError(one, latest));
  if (isLasting) seen.lasting.add(kindOfError(latest));
  if (isLasting || options.anyAnswer) return latest;
  throw lost(probe, latest, options);
}

/** An answer that says nothing of its request. */
function lost(probe: Probe, exchange: Exchange, { mayBeCut }: Settling): Unreachable {
  const { method, url } = exchange.request;
  const call = `${method} ${new URL(url).pathname}`;
  const error = new Unreachable(explainUnexpectedAnswer(probe, exchange, call).message);
  if (!mayBeCut) noteLost(probe, error);
  return error;
}

/** Sends a request, and again a little later where it was refused for the rate of calls. */
async function sendUntilLetThrough(probe: Probe, wanted: ProbeRequest): Promise<Exchange> {
  const once = () => sendOnce(probe, wanted);
  const send = wanted.isOnce ? once : () => untilAnswered(once);
  let latest = await send();
  for (let retry = 0; retry < mostRetries; retry++) {
    const waitMs = Number(latest.response.headers['retry-after'] ?? pacedMs / 1_000) * 1_000;
    if (!isRefusedForRate(latest) || !mayWait(probe, waitMs)) break;
    await probe.clock.pass(waitMs, 'calls to be let through again; the deployment limits their rate');
    latest = await send();
  }
  return latest;
}

/** What a limit takes that lets one call through every six seconds. */
export const pacedMs = 6_300;

/** Other calls than a login may be refused for too many of something else, which no wait changes. */
function isRefusedForRate(exchange: Exchange): boolean {
  if (succeeded(exchange)) return false;
  return exchange.operation === 'login' ? isRateRefusal(exchange) : exchange.response.status === 429;
}

/** Asks once more where the answer is lost. */
export async function untilAnswered(send: () => Promise<Exchange>): Promise<Exchange> {
  return (await unlessLost(send)) ?? send();
}

/** Undefined where the answer is lost: that costs one question, and not all of a step. */
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

/** Throws Stop when the user has ended the discovery. */
export function throwIfInterrupted({ options }: Probe): void {
  if (options.signal?.aborted) throw new Stop('interrupted', 'it was interrupted');
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

/** How long what is new may take to be known everywhere, in milliseconds. */
export const newMs = 2_000;

export function waitForNew({ clock }: Probe): Promise<void> {
  return clock.pass(newMs, 'something new to be known everywhere');
}

/** Makes a call that should be accepted, and once more a little later where it is refused. */
export function untilAccepted(probe: Probe, send: () => Promise<Exchange>): Promise<Exchange> {
  return untilTaken(probe, send, succeeded);
}

/** The same for a call of which more than its exchange is known. */
export async function untilTaken<T>(
  probe: Probe,
  call: () => Promise<T>,
  isTaken: (result: T) => boolean,
): Promise<T> {
  const first = await call();
  if (isTaken(first)) return first;
  const second = await later(probe, async () => {
    const again = await call();
    return isTaken(again) ? again : undefined;
  });
  return second ?? first;
}

/** Does something a little later; where it succeeds then, later steps give what is new the same time. */
export async function later<T>(probe: Probe, again: () => Promise<T | undefined>): Promise<T | undefined> {
  await waitForNew(probe);
  const result = await again();
  if (result !== undefined) probe.seen.settlesLate = true;
  return result;
}
