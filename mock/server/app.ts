import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Operation } from '../../openapi/operations.ts';
import { noSuchCall } from '../control/control-contract.ts';
import { ApiError, malformedRequest, methodNotAllowed, nothingAt } from '../http/api-errors.ts';
import { basePath, isControlPath, methodsAt } from '../http/paths.ts';
import { type Answer, noPage } from '../http/render-envelope.ts';
import { refuseInTurn, refuseOutside } from '../request/exchange.ts';
import type { Mock } from '../service.ts';
import { showLongIds } from '../world/long-ids.ts';
import type { Gate } from '../worlds/gate.ts';
import { corsHeadersOf, meetPage } from './cors.ts';
import type { Certificate } from './mock-options.ts';
import { answerConnect, answerUnreadable, noteAnswer } from './socket-errors.ts';

/** Returns false for a request that Fastify has to answer. */
export type DirectRoute = (message: IncomingMessage, response: ServerResponse) => boolean;

interface AppOptions {
  operations: readonly Operation[];
  /** How long a request may take to arrive completely, in milliseconds. */
  requestTimeout: number;
  cors?: boolean | undefined;
  gate?: Gate | undefined;
  direct?: DirectRoute | undefined;
  tls?: Certificate | undefined;
}

export function createApp(
  mock: Mock,
  { operations, requestTimeout, cors, gate, direct, tls }: AppOptions,
): FastifyInstance {
  const http = {
    requireHostHeader: false,
    // Node ignores the timeout of the whole request if this one is longer.
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: Math.min(1000, requestTimeout),
  };
  const app: FastifyInstance = fastify({
    ...quietAndWide,
    ...(gate && { rewriteUrl: gate.rewriteUrl }),
    ...(tls && { https: tls }),
    serverFactory(handler: RequestListener) {
      // Answers without Fastify if possible; injected requests bypass this listener.
      const listener: RequestListener = (request, response) => {
        noteAnswer(request, response);
        const isPassed = gate?.passAtOnce(request, response);
        if (isPassed) return;
        const isOfService = isPassed === undefined && request.url?.startsWith(basePath);
        if (!isOfService || !direct?.(request, response)) handler(request, response);
      };
      const server = tls
        ? process.getBuiltinModule('node:https').createServer({ ...http, ...tls }, listener)
        : process.getBuiltinModule('node:http').createServer(http, listener);
      return Object.assign(server, {
        requestTimeout,
        keepAliveTimeout: 72_000,
        timeout: 0,
        maxHeadersCount: 0,
      });
    },
    clientErrorHandler: (error, socket) =>
      answerUnreadable(mock, error, { socket, extra: cors ? corsHeadersOf(error) : {} }),
    frameworkErrors: (error, request, reply) => {
      // Fastify has not run the hooks of this request.
      if (cors && meetPage(request, reply)) return reply;
      return refuseWith(mock, error, reply);
    },
  });
  if (cors)
    app.addHook('onRequest', async (request, reply) => {
      if (meetPage(request, reply)) return reply;
    });
  for (const method of bodyMethods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  app.setErrorHandler((error, _request, reply) => refuseWith(mock, error, reply));
  app.setNotFoundHandler((_request, reply) => gate?.answer(reply) ?? answerUnknown(mock, operations, reply));
  // Node itself would answer these without a body, or not at all.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (request, socket) => answerConnect(mock, request.url ?? '', socket));
  const { answerType } = mock.settings.habits;
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (answerType && raw.url?.startsWith(basePath)) {
      // Fastify declares a text without a type as plain.
      if (answerType.is === undefined) reply.removeHeader('content-type');
      reply.headers({ ...(answerType.is !== undefined && { 'content-type': answerType.is }), ...noPage });
    }
    done(null, typeof payload === 'string' ? showLongIds(payload) : payload);
  });
  app.addHook('preClose', async () => {
    mock.isClosing = true;
  });
  app.addHook('onClose', async () => {
    mock.scheduler.close();
    mock.dispatcher.close();
  });
  return app;
}

export function send(
  reply: FastifyReply,
  { clock, httpDate }: Mock,
  { status, headers, body, encoding }: Answer,
): FastifyReply {
  const sent = encoding ? Buffer.from(showLongIds(body), encoding) : body;
  return reply.code(status).header('date', httpDate(clock.now())).headers(headers).send(sent);
}

/** No route has a schema, so Fastify's compilers would be loaded at the start and never used. */
const noCompiler = () => () => {
  throw new Error('a route has a schema, but no compiler');
};

const quietAndWide = {
  schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
  logger: false,
  forceCloseConnections: true,
  return503OnClosing: false,
  exposeHeadRoutes: false,
  routerOptions: {
    // A long value is an unknown one, not a separate error: the limit of the whole header is enough.
    maxParamLength: 16_384,
    // The pipeline reads the query, for the few operations that have one.
    querystringParser: () => ({}),
  },
} as const;

/** The pipeline reads the bodies of these methods (see read-body.ts). */
const bodyMethods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];

function answerUnknown(
  mock: Mock,
  operations: readonly Operation[],
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const { request } = reply;
  const [path = ''] = request.raw.url?.split('?') ?? [];
  if (isControlPath(path))
    return reply
      .code(404)
      .headers(noPage)
      .send({ error: noSuchCall(request.method, path) });
  const allowed = methodsAt(operations, path);
  const isKnown = allowed.length > 0;
  const { outside } = mock.settings.habits;
  if (outside === undefined) {
    const { method } = request;
    const problem = isKnown ? methodNotAllowed(method, path, allowed) : nothingAt(method, path);
    return refuseWith(mock, problem, reply);
  }
  // A web server in front of the service would answer like this.
  const title = isKnown ? '405 Method Not Allowed' : '404 Not Found';
  reply.code(isKnown ? 405 : 404);
  if (outside === 'empty') return reply.send();
  return reply.type('text/html').send(`<html><head><title>${title}</title></head></html>\n`);
}

async function refuseWith(mock: Mock, error: unknown, reply: FastifyReply): Promise<FastifyReply> {
  const isBadUrl = error instanceof Error && 'code' in error && error.code === 'FST_ERR_BAD_URL';
  const problem = isBadUrl ? malformedRequest('the path has an invalid percent-encoding') : error;
  const { raw } = reply.request;
  // Router errors of control calls do not belong in the journal of the service.
  if (isControlPath(raw.url ?? '') && problem instanceof ApiError)
    return reply.code(400).headers(noPage).send({ error: problem.message });
  // A mock that is closing would cut off callers who wait for a turn.
  const refuse = mock.isClosing ? refuseOutside : refuseInTurn;
  return send(reply, mock, await refuse(mock, problem, raw));
}
