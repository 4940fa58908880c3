// A message to an inbox: recorded whatever it is, and answered by the inbox's script, then as its kind does.
import { isUtf8 } from 'node:buffer';
import type { Inbox, InboxMessage, InboxStep, World } from '../world/world.ts';
import { answerJson, type InboxAnswer, type InboxRequest } from './inbox-request.ts';
import { openInbox } from './inboxes.ts';
import { answerAsRobot } from './robots/robot-answer.ts';
import { isSignedBy } from './verify-signature.ts';

export type { InboxAnswer, InboxRequest } from './inbox-request.ts';

/** An answer, none at all, or an end of the connection. */
export type InboxOutcome = InboxAnswer | 'timeout' | 'reset';

interface Arrival {
  request: InboxRequest;
  now: number;
}

const mostMessages = 1000;

/** Records a message and says how it is answered. */
export function receiveMessage(world: World, name: string, arrival: Arrival): InboxOutcome {
  const inbox = openInbox(world, name);
  inbox.received++;
  const isClockStill = world.clock.mode === 'manual';
  const outcome = scripted(inbox) ?? answerByKind(inbox, { ...arrival, isClockStill });
  inbox.messages.push(messageOf(inbox, arrival, outcome));
  if (inbox.messages.length > mostMessages) inbox.messages.shift();
  return outcome;
}

function scripted({ respond }: Inbox): InboxOutcome | undefined {
  const step = respond.shift();
  return step === undefined ? undefined : outcomeOf(step);
}

function outcomeOf(step: InboxStep): InboxOutcome {
  if (typeof step === 'string') return step;
  return { headers: {}, body: '', ...(typeof step === 'number' ? { status: step } : step) };
}

function answerByKind(
  { kind, robot, robotState, received }: Inbox,
  arrival: Arrival & { isClockStill: boolean },
): InboxAnswer {
  if (kind === 'plain') return answerJson({ received: true });
  return answerAsRobot(kind, { ...arrival, settings: robot, state: robotState, messageId: received });
}

function messageOf(inbox: Inbox, { request, now }: Arrival, outcome: InboxOutcome): InboxMessage {
  const { method, path, headers, body } = request;
  const { secret } = inbox;
  return {
    id: inbox.received,
    at: now,
    method,
    path,
    headers: { ...headers },
    ...(isUtf8(body) ? { body: body.toString() } : { bodyBase64: body.toString('base64') }),
    ...(secret !== undefined && { verified: isSignedBy(secret, body, headers['x-webhook-signature']) }),
    answer: typeof outcome === 'string' ? { error: outcome } : { status: outcome.status, body: outcome.body },
  };
}
