// A request from its arrival to its answer.
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { shows } from '../../openapi/tell-apart.ts';
import { inEndedWorld, notKept } from '../http/not-kept.ts';
import { type Body, type Read, receiveBody, receiveSharedBody } from '../http/read-body.ts';
import type { Answer } from '../http/render-envelope.ts';
import type { Mock } from '../service.ts';
import { StoreError } from '../store/engine.ts';
import type { ActiveRequest, Incoming, Route } from './active-request.ts';
import { arrive, proceed } from './course.ts';
import { finish, refuseInTurn, refuseOutside } from './finish-request.ts';

type Respond = (answer: Answer) => void;

/** The body is received after authentication, so that a rejected caller need not send it. With a store it comes first, since a turn waits for nothing. */
export function serveRequest(mock: Mock, incoming: Incoming, respond: Respond, received?: Body): void {
  const { route, message } = incoming;
  const receive = (done: (read: Read) => void) =>
    received ? done(received) : receiveBody(route.operation, message, done);
  if (mock.store) {
    receive((read) => void serveInTurn(mock, incoming, read).then(respond));
    return;
  }
  const active = arrive(mock, incoming);
  const end = () => {
    if (active.delayMs <= 0) respond(finish(mock, active));
    else setTimeout(() => respond(finish(mock, active)), active.delayMs).unref();
  };
  if (active.answer) end();
  else
    receive((read) => {
      const waiting = proceed(mock, active, read);
      if (active.answer) end();
      else void waiting?.then(end);
    });
}

/** All that the request does is one turn, and it is answered when that is persisted. */
async function serveInTurn(mock: Mock, incoming: Incoming, read: Read): Promise<Answer> {
  const isShared = mock.store?.shared !== undefined;
  let begun: { active: ActiveRequest; waiting?: Promise<void> | undefined; sent?: Answer };
  try {
    begun = await mock.turn(() => {
      const active = arrive(mock, incoming);
      const waiting = active.answer ? undefined : proceed(mock, active, read);
      // An entry of a shared journal is persisted with what the call did.
      const isOver = isShared && active.answer && active.delayMs <= 0;
      return { active, waiting, ...(isOver && { sent: finish(mock, active) }) };
    });
  } catch (error) {
    return refuseUnkept(mock, incoming, error);
  }
  const { active, waiting, sent } = begun;
  if (sent) return sent;
  await waiting;
  if (active.delayMs > 0) await sleep(active.delayMs, undefined, { ref: false });
  const end = () => finish(mock, active);
  // What the call did is persisted, whatever becomes of its entry in the journal.
  return isShared ? Promise.resolve(mock.turn(end)).catch(end) : end();
}

/** The store has told why in the log, unless the world has ended. */
function refuseUnkept(mock: Mock, { route, message }: Incoming, error: unknown): Answer {
  const { method = '', url = '', headers } = message;
  const isGone = error instanceof StoreError && error.reason === 'gone';
  const problem = isGone ? inEndedWorld(method, url) : notKept();
  return refuseOutside(mock, problem, { method, url, headers, operation: route.operation.id });
}

interface SharedIncoming extends Omit<Incoming, 'route'> {
  routes: readonly [Route, ...Route[]];
}

/** A request by a method and path that several operations share: only its body, or its query, says which of them is meant. */
export function serveShared(mock: Mock, { routes, ...incoming }: SharedIncoming, respond: Respond): void {
  const { message } = incoming;
  receiveSharedBody(routes, message, (read) => {
    const { failure, ...body } = read;
    if (failure) {
      const { method = '', url = '', headers } = message;
      void Promise.resolve(refuseInTurn(mock, failure, { method, url, headers })).then(respond);
      return;
    }
    const route = meantBy(routes, message, body);
    serveRequest(mock, { ...incoming, route }, respond, route.operation.request ? body : {});
  });
}

function meantBy(routes: SharedIncoming['routes'], { url = '' }: IncomingMessage, body: Body): Route {
  const query = Object.fromEntries(new URL(url, 'http://x').searchParams);
  const isMeant = ({ operation: { signs = [] } }: Route) =>
    signs.every((sign) => shows(sign, { query, body: body.value }));
  return routes.find(isMeant) ?? routes[0];
}
