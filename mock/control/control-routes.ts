// The control API over HTTP: plain JSON without the envelope, and not part of the service's traffic.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lazily } from '../../openapi/libraries.ts';
import { ApiError } from '../http/api-errors.ts';
import { noPage } from '../http/render-envelope.ts';
import { type AnyCall, calls, turnOfCall } from './calls/index.ts';
import { findCall, readInput, readTarget } from './control-contract.ts';
import { ControlError } from './control-error.ts';
import type { CallId, ControlledMock } from './controlled-mock.ts';
import { createPageGuard, createTokenGuard, refusePreflight } from './guards.ts';
import { createStream, streamType } from './stream/stream.ts';

interface ControlOptions {
  /** Digests of Bearer tokens, one of which every call must carry, except messages to an inbox. None: no token is needed. */
  tokenDigests?: readonly string[];
  /** The names by which it may be called without a token, besides loopback names and IP addresses. */
  hostNames?: readonly string[];
  /** How its own pages are loaded. Default: http. */
  scheme?: 'http' | 'https';
}

/** What asks these has no token, and they tell nothing. */
const probes: ReadonlySet<string> = new Set(['/_mock/live', '/_mock/ready']);

function isProbe({ method, url = '' }: FastifyRequest['raw']): boolean {
  return (method === 'GET' || method === 'HEAD') && probes.has(url);
}

/** Few mocks get messages, and robots are twenty files. */
const inboxes = lazily(() => import('./inbox-message.ts'));

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

export function serveControl(
  app: FastifyInstance,
  mock: ControlledMock,
  { tokenDigests = [], hostNames = [], scheme = 'http' }: ControlOptions,
): void {
  // Who has the token is no web page that merely leads here.
  const guard =
    tokenDigests.length === 0 ? createPageGuard(hostNames, scheme) : createTokenGuard(tokenDigests);
  const stream = createStream(mock);

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { method, raw } = request;
    refusePreflight(raw);
    const target = readTarget(method, raw.url ?? '');
    if (target.kind === 'message') return (await inboxes()).answerMessage(mock, target, reply);
    if (tokenDigests.length === 0 || !isProbe(raw)) guard(raw);
    const call = findCall(method, target.segments);
    const input = await readInput(call, raw, target.segments);
    if (call.id === 'stream' && method === 'HEAD') return reply.type(streamType).send();
    if (call.id === 'stream') {
      // So that it begins with what is new.
      await turnOfCall(mock, call, () => {});
      return stream.listen(reply, 'short' in input.query && input.query.short === 'true');
    }
    const answered = await turnOfCall(mock, call, () => (calls[call.id as CallId] as AnyCall)(mock, input));
    if (typeof answered === 'string') reply.type(metricsType);
    return reply.header('cache-control', 'no-store').send(answered);
  }

  async function answerOrRefuse(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers(noPage);
    try {
      return await answer(request, reply);
    } catch (error) {
      const { status, headers, message } = problemOf(mock, error, request);
      return reply.code(status).headers(headers).send({ error: message });
    }
  }

  // One entrance, so that whatever the router matches passes the guard.
  app.all('/_mock', answerOrRefuse);
  app.all('/_mock/*', answerOrRefuse);
  app.addHook('preClose', async () => stream.close());
}

function problemOf({ log }: ControlledMock, error: unknown, { method }: FastifyRequest): ControlError {
  if (error instanceof ControlError) return error;
  // The body was given up, or cut off, and then nobody reads the answer.
  if (error instanceof ApiError)
    return new ControlError(error.kind === 'request-timeout' ? 408 : 400, error.message);
  log(`control: ${error instanceof Error ? error.stack : String(error)}`);
  return new ControlError(
    500,
    `the mock made a mistake in this ${method} call of its control API; its log says more`,
  );
}
