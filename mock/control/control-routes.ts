// Control calls have no envelope and are not recorded in the journal.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-errors.ts';
import { bodyLimit, receiveBytes } from '../http/read-body.ts';
import { asNoPage, noPage } from '../http/render-envelope.ts';
import { receiveMessage } from '../inbox/inboxes.ts';
import { timeOf } from '../world/time.ts';
import { type AnyCall, calls, turnOfCall } from './calls/index.ts';
import { controlCall, findCall, readInput, readTarget, type Target } from './control-contract.ts';
import { ControlError, checkInboxName, refuse } from './control-error.ts';
import type { CallId, ControlledMock } from './controlled-mock.ts';
import { createPageGuard, createTokenGuard, refusePreflight } from './guards.ts';
import { plainHeaders } from './redact-request.ts';
import { createStream, streamType } from './stream/stream.ts';

interface ControlOptions {
  /** Digests of the accepted Bearer tokens; if empty, no token is needed. */
  tokenDigests: readonly string[];
  /** Host names that are accepted without a token, besides loopback names and IP addresses. */
  hostNames: readonly string[];
  scheme: 'http' | 'https';
}

/** Monitors call these without a token, since the answers reveal nothing. */
const probes: ReadonlySet<string> = new Set(['/_mock/live', '/_mock/ready']);

export function serveControl(
  app: FastifyInstance,
  mock: ControlledMock,
  { tokenDigests, hostNames, scheme }: ControlOptions,
): void {
  const needsToken = tokenDigests.length > 0;
  // Foreign web pages can't know the token, so only a mock without one must recognize them.
  const guard = needsToken ? createTokenGuard(tokenDigests) : createPageGuard(hostNames, scheme);
  const stream = createStream(mock);

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { method, raw } = request;
    const { url = '' } = raw;
    refusePreflight(raw);
    const target = readTarget(method, url);
    if (target.kind === 'message') return answerMessage(mock, target, reply);
    const isProbe = (method === 'GET' || method === 'HEAD') && probes.has(url);
    if (!needsToken || !isProbe) guard(raw);
    const call = findCall(method, target.segments);
    const input = await readInput(call, raw, target.segments);
    if (call.id === 'stream' && method === 'HEAD') return reply.type(streamType).send();
    if (call.id === 'stream') {
      // The turn first adopts changes by other processes, so that the stream starts after them.
      await turnOfCall(mock, call, () => {});
      return stream.listen(reply, 'short' in input.query && input.query.short === 'true');
    }
    const answered = await turnOfCall(mock, call, () => (calls[call.id as CallId] as AnyCall)(mock, input));
    if (typeof answered === 'string') reply.type('text/plain; version=0.0.4; charset=utf-8');
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

  // One handler for all paths, so that no route bypasses the guard.
  app.all('/_mock', answerOrRefuse);
  app.all('/_mock/*', answerOrRefuse);
  app.addHook('preClose', async () => stream.close());
}

async function answerMessage(
  mock: ControlledMock,
  { name, path }: Extract<Target, { kind: 'message' }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  checkInboxName(name);
  const { raw, method, headers, originalUrl } = reply.request;
  const body = await receiveBytes(raw, bodyLimit);
  if (body.length > bodyLimit)
    refuse(413, `the message is larger than the ${bodyLimit} bytes that an inbox accepts`);
  const message = { method, path, headers: plainHeaders(headers), body };
  const outcome = await turnOfCall(mock, controlCall('sendMessage'), () => {
    const { world } = mock;
    const arrived = receiveMessage(world, name, { request: message, now: timeOf(world.clock) });
    mock.events.emit('message', arrived.received);
    return arrived.outcome;
  });
  if (typeof outcome === 'object')
    return reply.code(outcome.status).headers(asNoPage(outcome.headers)).send(outcome.body);
  reply.hijack();
  if (outcome === 'reset') raw.socket.resetAndDestroy();
  // The dispatcher knows its request by the path it sent, which includes the prefix of a named world.
  else mock.dispatcher.leaveUnanswered(originalUrl);
  return reply;
}

function problemOf({ log }: ControlledMock, error: unknown, { method }: FastifyRequest): ControlError {
  if (error instanceof ControlError) return error;
  // Receiving the body timed out or was cut off.
  if (error instanceof ApiError)
    return new ControlError(error.kind === 'request-timeout' ? 408 : 400, error.message);
  log(`control: ${error instanceof Error ? error.stack : String(error)}`);
  return new ControlError(
    500,
    `internal error of the mock in this ${method} call of its control API; see its log`,
  );
}
