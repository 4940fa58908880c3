// The control API over HTTP: beside the service, plain JSON without the envelope, and none of the service's traffic.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-errors.ts';
import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';
import { handlerOf } from './control-handlers.ts';
import { readTarget } from './control-target.ts';
import type { Control } from './create-control.ts';
import { findCall } from './find-call.ts';
import { answerMessage } from './inbox-message.ts';
import { readInput } from './read-input.ts';
import { createStream } from './stream.ts';
import { createGuard } from './token-guard.ts';

interface ControlOptions {
  control: Control;
  /** What every call but a message to an inbox must carry as a Bearer token. */
  token?: string | undefined;
}

export function serveControl(
  app: FastifyInstance,
  context: ControlContext,
  { control, token }: ControlOptions,
): void {
  const { service, contract } = context;
  const guard = createGuard(token);
  const stream = createStream(context);

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { method, raw, headers } = request;
    const target = readTarget(method, raw.url ?? '');
    if (target.kind === 'message') return answerMessage(context, { target, request, reply });
    guard(headers.authorization);
    const call = findCall(contract().calls, method, target.segments);
    if (call.id === 'stream') return stream.listen(reply);
    const input = await readInput(contract(), call, { request, segments: target.segments });
    return reply.header('cache-control', 'no-store').send(await handlerOf(call.id)(control, input));
  }

  async function answerAnyhow(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    try {
      return await answer(request, reply);
    } catch (error) {
      const { status, headers, message } = problemOf(service, error, request);
      return reply.code(status).headers(headers).send({ error: message });
    }
  }

  // One door for all of it: whatever the router takes for one of these paths passes the guard.
  app.all('/_mock', answerAnyhow);
  app.all('/_mock/*', answerAnyhow);
  app.addHook('preClose', async () => stream.close());
}

function problemOf(
  { log }: ControlContext['service'],
  error: unknown,
  { method }: FastifyRequest,
): ControlError {
  if (error instanceof ControlError) return error;
  // The body broke off; nobody is there to read the answer.
  if (error instanceof ApiError) return new ControlError(400, error.message);
  log(`control: ${error instanceof Error ? error.stack : String(error)}`);
  return new ControlError(
    500,
    `the mock made a mistake in this ${method} call of its control API; its log says more`,
  );
}
