// The routes of the service, and where they are.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Operation } from '../../openapi/operations.ts';
import { basePath, toFastifyPath } from '../http/paths.ts';
import type { Answer } from '../http/render-envelope.ts';
import { handlerOf } from '../operations/index.ts';
import type { Route } from '../request/active-request.ts';
import { serveRequest, serveShared } from '../request/pipeline.ts';
import type { Mock } from '../service.ts';
import { send } from './app.ts';

export function serveOperations(app: FastifyInstance, mock: Mock, operations: readonly Operation[]): void {
  const routes = operations.map((operation) => ({ operation, handler: handlerOf(operation.id) }));
  const shared = Map.groupBy(routes, ({ operation: { method, path } }) => `${method} ${path}`);
  for (const [first, ...others] of shared.values()) if (first) serve(app, mock, [first, ...others]);
}

/** The addresses of a mock, for others by its public one; placeholders until it listens. */
export function addressesOf(app: FastifyInstance, controlApp: FastifyInstance, publicUrl?: string) {
  // The getter throws until the app listens.
  const originOf = (one: FastifyInstance) =>
    one.server.listening ? toReachable(one.listeningOrigin) : 'http://127.0.0.1';
  const root = publicUrl ?? originOf(app);
  return {
    baseUrl: `${root}${basePath}`,
    controlUrl: `${controlApp === app ? root : originOf(controlApp)}/_mock`,
  };
}

/** Who listens on all addresses is called by one of them: no system but Linux connects to the address of none. */
function toReachable(origin: string): string {
  return origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function serve(app: FastifyInstance, mock: Mock, routes: readonly [Route, ...Route[]]): void {
  const [route] = routes;
  const answer = ({ raw: message, params }: FastifyRequest): Promise<Answer> =>
    new Promise((resolve) => {
      const incoming = { message, params: params as Record<string, string> };
      if (routes.length === 1) serveRequest(mock, { ...incoming, route }, resolve);
      else serveShared(mock, { ...incoming, routes }, resolve);
    });
  app.route({
    method: route.operation.method,
    url: toFastifyPath(route.operation.path),
    handler: async (request, reply) => send(reply, mock, await answer(request)),
  });
}
