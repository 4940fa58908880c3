// What a request does to the world. All of it is synchronous, but for handlers that wait for something.
import { notKept } from '../http/not-kept.ts';
import type { Read } from '../http/read-body.ts';
import { type Answer, renderJson, renderSuccess } from '../http/render-envelope.ts';
import type { AnyCall, Mock, Values } from '../service.ts';
import type { FirstAnswer } from '../world/entries.ts';
import type { ActiveRequest, Incoming } from './active-request.ts';
import { joinWork, startWork } from './calls-in-progress.ts';
import { createCall, readLeniently } from './create-call.ts';
import { delayOf, refuseActive } from './finish-request.ts';
import { forcedAnswerFor, forcedRefusal } from './forced-answers.ts';
import { openExchange } from './record-exchange.ts';
import { tenantOfCall } from './tenant-of-call.ts';
import { nameOfCaller, userOfCall } from './who-calls.ts';
import { writeIds } from './write-ids.ts';

/** What can be said without the body: has an answer if that is all. */
export function arrive(mock: Mock, incoming: Incoming): ActiveRequest {
  const active = open(mock, incoming);
  conclude(mock, active, () => {
    const whole = forcedWhole(active);
    if (!whole) identify(mock, active);
    return whole;
  });
  return active;
}

function open(mock: Mock, { route, message, params }: Incoming): ActiveRequest {
  const { id } = route.operation;
  const { method = '', url = '', headers } = message;
  const exchange = openExchange(mock, { method, url, headers, operation: id });
  const forced = forcedAnswerFor(mock, id, headers.prefer);
  exchange.forcedBy = forced?.by;
  return {
    route,
    message,
    params,
    exchange,
    forced,
    steps: mock.steps,
    caller: undefined,
    uncount: undefined,
    heldMs: 0,
    workKey: undefined,
    answer: undefined,
    delayMs: 0,
  };
}

/** The answer that an override states as a whole, if one does. */
function forcedWhole({ route: { operation }, forced }: ActiveRequest): Answer | undefined {
  if (forced?.body === undefined) return undefined;
  return renderJson(forced.status ?? operation.success.status, forced.body);
}

/** Throws the forced error, or that of the authentication. */
function identify(mock: Mock, active: ActiveRequest): void {
  const { route, message, exchange, forced, steps } = active;
  const refusal = forced && forcedRefusal(forced, mock.profile);
  if (refusal) throw refusal;
  const { authorization: header } = message.headers;
  const { socket: connection } = message;
  active.caller = steps.authenticate(mock, route.operation, { header, now: exchange.at, connection });
  exchange.tenantId = active.caller?.tenantId;
  exchange.who = nameOfCaller(active.caller);
}

/** Goes on with the body until there is an answer. Returns a promise only if the handler waits for something; it is never rejected. */
export function proceed(mock: Mock, active: ActiveRequest, read: Read): Promise<void> | undefined {
  let waiting: Promise<() => Answer> | undefined;
  conclude(mock, active, () => {
    const handled = handle(mock, active, read);
    if (!(handled.values instanceof Promise)) return handled.answerWith(handled.values);
    waiting = handled.values.then(
      (values) => () => handled.answerWith(values),
      (error: unknown) => () => {
        throw error;
      },
    );
    return undefined;
  });
  return waiting && endLater(mock, active, waiting);
}

/** After a handler has waited, the rest runs in a turn of its own. */
async function endLater(mock: Mock, active: ActiveRequest, waiting: Promise<() => Answer>): Promise<void> {
  const answer = await waiting;
  try {
    await Promise.resolve(mock.turn(() => conclude(mock, active, answer)));
  } catch {
    active.answer = refuseActive(mock, active, notKept());
  }
}

function conclude(mock: Mock, active: ActiveRequest, answer: () => Answer | undefined): void {
  try {
    active.answer = answer();
  } catch (error) {
    active.answer = refuseActive(mock, active, error);
  }
  if (active.answer) active.delayMs = delayOf(mock, active);
}

/** Tenant, repetition, limit, validation, handler. Returns its values, and what makes the answer of them. */
function handle(mock: Mock, active: ActiveRequest, read: Read) {
  if (read.failure) throw read.failure;
  const { route, message, exchange, steps } = active;
  const { url } = exchange;
  const body = readLeniently(mock, route.operation, read);
  exchange.requestBody = body.text;
  const call = createCall(mock, active, body);
  exchange.tenantId = tenantOfCall(call);
  exchange.who ??= userOfCall(call);
  const key = steps.repetitionKeyOf(call, { url, headers: message.headers, body: body.text });
  if (key !== undefined) active.heldMs = joinWork(mock, key);
  const first = key === undefined ? undefined : steps.findFirstAnswer(call, key);
  if (!first || !areRepetitionsFree(mock)) active.uncount = steps.countAgainstLimit(call);
  steps.validate(call, body);
  if (first) return { values: first.values, answerWith: () => repeat(mock, active, first) };
  active.heldMs = startWork(mock, call, key);
  active.workKey = key;
  // Nothing is awaited between looking for a first answer and keeping this one, so only one of many concurrent calls is the first.
  const answerWith = (values: Values): Answer => {
    if (key !== undefined)
      steps.keepFirstAnswer(endOf(call, active), key, { values, traceId: exchange.traceId });
    return succeedWith(mock, active, values);
  };
  return { values: steps.handle(route.handler, call), answerWith };
}

/** The window of a repetition begins when the call ends. */
function endOf(call: AnyCall, { heldMs }: ActiveRequest): AnyCall {
  return heldMs > 0 ? { ...call, now: call.now + heldMs } : call;
}

function repeat(mock: Mock, active: ActiveRequest, first: FirstAnswer): Answer {
  if (mock.profile.values['idempotency.trace'] === 'same') active.exchange.traceId = first.traceId;
  return succeedWith(mock, active, first.values);
}

function succeedWith(mock: Mock, { route, exchange, forced }: ActiveRequest, values: Values): Answer {
  const shown = mock.settings.habits.textIds ? writeIds(route.operation.id, values) : values;
  const answer = renderSuccess(route.operation, shown, exchange.traceId);
  return forced?.status === undefined ? answer : { ...answer, status: forced.status };
}

/** Whether repetitions do not count against limits. */
function areRepetitionsFree({ profile }: Mock): boolean {
  return profile.values['limits.repeats'] === 'not-counted';
}
