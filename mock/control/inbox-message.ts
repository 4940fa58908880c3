import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyLimit, receiveBytes } from '../http/read-body.ts';
import { receiveMessage } from '../inbox/receive-message.ts';
import type { Service } from '../service.ts';
import { ControlError } from './control-error.ts';
import type { Target } from './control-target.ts';
import { checkName } from './inbox-control.ts';

interface Delivered {
  target: Extract<Target, { kind: 'message' }>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Gives a message to its inbox, and answers as that says: perhaps not at all. */
export async function answerMessage(
  service: Service,
  { target, request, reply }: Delivered,
): Promise<FastifyReply> {
  checkName(target.name);
  const { raw, method } = request;
  const body = await receiveBytes(raw, bodyLimit);
  if (body.length > bodyLimit)
    throw new ControlError(413, `the message is larger than the ${bodyLimit} bytes that an inbox takes`);
  const message = { method, path: target.path, headers: headersOf(request), body };
  const outcome = receiveMessage(service.world, target.name, { request: message, now: service.clock.now() });
  if (typeof outcome === 'object')
    return reply.code(outcome.status).headers(outcome.headers).send(outcome.body);
  reply.hijack();
  if (outcome === 'reset') raw.socket.resetAndDestroy();
  else service.dispatcher.leaveUnanswered(raw.url ?? '');
  return reply;
}

function headersOf({ headers }: FastifyRequest): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(', ')]));
}
