import type { FastifyReply } from 'fastify';
import { bodyLimit, receiveBytes } from '../http/read-body.ts';
import { asNoPage } from '../http/render-envelope.ts';
import { receiveMessage } from '../inbox/inboxes.ts';
import { messageKey } from '../world/snapshot.ts';
import { timeOf } from '../world/time.ts';
import { turnOfCall } from './calls/index.ts';
import { controlCall, type Target } from './control-contract.ts';
import { checkInboxName, refuse } from './control-error.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { plainHeaders } from './redact-request.ts';

/** Puts a message into its inbox, and answers as that one is set up: perhaps not at all. */
export async function answerMessage(
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
    const answered = receiveMessage(world, name, { request: message, now: timeOf(world.clock) });
    const { received: id = 0 } = world.inboxes.get(name) ?? {};
    const received = world.messages.get(messageKey(name, id));
    if (received) mock.events.emit('message', received);
    return answered;
  });
  if (typeof outcome === 'object')
    return reply.code(outcome.status).headers(asNoPage(outcome.headers)).send(outcome.body);
  reply.hijack();
  if (outcome === 'reset') raw.socket.resetAndDestroy();
  // By the address that the sender used: that of a world begins with its prefix.
  else mock.dispatcher.leaveUnanswered(originalUrl);
  return reply;
}
