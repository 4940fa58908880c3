// Fastify, set up so that whatever goes wrong anywhere in it is answered in the envelope.
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Operation } from '../../openapi/operations.ts';
import { noSuchCall } from '../control/find-call.ts';
import { ApiError, malformedRequest, methodNotAllowed, unknownPath } from '../http/api-errors.ts';
import { isControlPath, methodsAt } from '../http/paths.ts';
import type { Answer } from '../http/render-envelope.ts';
import { refuseOutside } from '../request/pipeline.ts';
import type { Service } from '../service.ts';
import { answerConnect, answerUnreadable } from './socket-errors.ts';

interface AppOptions {
  operations: readonly Operation[];
  /** Within which a request must have arrived completely, in milliseconds. */
  requestTimeout: number;
}

/** A server without routes. */
export function createApp(service: Service, { operations, requestTimeout }: AppOptions): FastifyInstance {
  const app = fastify({
    ...quietAndWide,
    requestTimeout,
    http: {
      requireHostHeader: false,
      // Were it longer than the timeout of the whole request, Node would not watch that one.
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(1000, requestTimeout),
    },
    clientErrorHandler: (error, socket) => answerUnreadable(service, error, socket),
    frameworkErrors: (error, request, reply) => refuseWith(service, problemOf(error), { request, reply }),
  });
  for (const method of bodyMethods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  app.setErrorHandler((error, request, reply) => refuseWith(service, problemOf(error), { request, reply }));
  app.setNotFoundHandler((request, reply) => answerUnknown(service, operations, { request, reply }));
  acceptWhatNodeRefuses(app, service);
  app.addHook('onClose', async () => {
    service.scheduler.close();
    await service.dispatcher.close();
  });
  return app;
}

export function send(
  reply: FastifyReply,
  { clock, httpDate }: Service,
  { status, headers, body }: Answer,
): FastifyReply {
  return reply.code(status).header('date', httpDate(clock.now())).headers(headers).send(body);
}

const quietAndWide = {
  logger: false,
  forceCloseConnections: true,
  return503OnClosing: false,
  exposeHeadRoutes: false,
  routerOptions: {
    // The limit of the header is the only one: a longer value is an unknown one, not an error of its own.
    maxParamLength: 16_384,
    // The pipeline reads the query of the few operations that have one.
    querystringParser: () => ({}),
  },
} as const;

/** Of these the pipeline reads the body itself (see read-body.ts). */
const bodyMethods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];

function answerUnknown(
  service: Service,
  operations: readonly Operation[],
  { request, reply }: Exchange,
): FastifyReply {
  const [path = ''] = request.raw.url?.split('?') ?? [];
  if (isControlPath(path)) return reply.code(404).send(noSuchCall(request.method, path));
  const allowed = methodsAt(operations, path);
  const problem =
    allowed.length > 0 ? methodNotAllowed(request.method, path, allowed) : unknownPath(request.method, path);
  return refuseWith(service, problem, { request, reply });
}

function refuseWith(service: Service, problem: unknown, { request, reply }: Exchange): FastifyReply {
  const { method = '', url = '', headers } = request.raw;
  // Only what the router itself refuses comes here; it is none of the service's traffic.
  if (isControlPath(url) && problem instanceof ApiError)
    return reply.code(400).send({ error: problem.message });
  return send(reply, service, refuseOutside(service, problem, { method, url, headers }));
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

function problemOf(error: unknown): unknown {
  return isBadUrl(error) ? malformedRequest('the path is not percent-encoded as it must be') : error;
}

function isBadUrl(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_BAD_URL';
}

/** By itself Node would answer or drop these with an empty body, or not at all. */
function acceptWhatNodeRefuses({ server }: FastifyInstance, service: Service): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request, socket) => answerConnect(service, request.url ?? '', socket));
  // More than the limit would be left out silently, an Authorization among them.
  server.maxHeadersCount = 0;
}
