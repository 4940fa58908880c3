// A request from its arrival to its answer.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { shows } from '../../openapi/tell-apart.ts';
import { type Body, readBody, readSharedBody } from '../http/read-body.ts';
import type { Answer } from '../http/render-envelope.ts';
import type { Service } from '../service.ts';
import { complete, forcedWhole, identify, open, type Route } from './course.ts';
import { delayOf, finish, refuseActive, refuseInTurn } from './finish-request.ts';
import { handleKept } from './kept-request.ts';

/** A request by a method and path that several operations share: only its body, or its query, says which of them is meant. */
export async function handleShared(
  service: Service,
  routes: readonly [Route, ...Route[]],
  request: FastifyRequest,
): Promise<Answer> {
  const { raw } = request;
  try {
    const body = await readSharedBody(routes, raw);
    const query = Object.fromEntries(new URL(raw.url ?? '', 'http://x').searchParams);
    const isMeant = ({ operation: { signs = [] } }: Route) =>
      signs.every((sign) => shows(sign, { query, body: body.value }));
    const route = routes.find(isMeant) ?? routes[0];
    return await handleRequest(service, route, request, route.operation.request ? body : {});
  } catch (error) {
    const { method = '', url = '', headers } = raw;
    return refuseInTurn(service, error, { method, url, headers });
  }
}

/** The body is awaited after authentication, so that a rejected caller need not send it. */
export async function handleRequest(
  service: Service,
  route: Route,
  request: FastifyRequest,
  received?: Body,
): Promise<Answer> {
  if (service.store) return handleKept(service, service.store, { route, request, received });
  const active = open(service, route, request);
  let answer = forcedWhole(active);
  try {
    if (!answer) {
      identify(service, active);
      const body = received ?? (await readBody(route.operation, request.raw));
      const completed = complete(service, active, body);
      answer = completed instanceof Promise ? await completed : completed;
    }
  } catch (error) {
    answer = refuseActive(service, active, error);
  }
  const delay = delayOf(service, active);
  if (delay > 0) await sleep(delay, undefined, { ref: false });
  return finish(service, active, answer);
}
