// Receives a message to an inbox: records it in any case, and answers it by the inbox's script, then by its kind.
import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import type { Editable } from '../world/collection.ts';
import type { Inbox, InboxMessage } from '../world/entries.ts';
import { messageKey } from '../world/snapshot.ts';
import type { World } from '../world/world.ts';
import { answerJson, type InboxAnswer, type InboxRequest } from './inbox-request.ts';
import { openInbox } from './inboxes.ts';
import { answerAsRobot } from './robots/robot-answer.ts';
import { isSignedBy } from './secrets.ts';

/** An answer, no answer, or a reset of the connection. */
type InboxOutcome = InboxAnswer | 'timeout' | 'reset';

interface ReceivedMessage {
  request: InboxRequest;
  now: number;
}

/** Records a message and returns its answer. */
export function receiveMessage(world: World, name: string, message: ReceivedMessage): InboxOutcome {
  const inbox = openInbox(world, name);
  inbox.received++;
  const isClockStill = world.clock.mode === 'manual';
  const outcome = nextScriptedOutcome(inbox) ?? answerByKind(inbox, { ...message, isClockStill });
  world.messages.set(messageKey(name, inbox.received), messageOf({ name, inbox }, message, outcome));
  return outcome;
}

function nextScriptedOutcome({ respond }: Editable<Inbox>): InboxOutcome | undefined {
  const step = respond.shift();
  if (step === undefined || typeof step === 'string') return step;
  return { headers: {}, body: '', ...(typeof step === 'number' ? { status: step } : step) };
}

function answerByKind(
  { kind, robot, robotState, received }: Editable<Inbox>,
  message: ReceivedMessage & { isClockStill: boolean },
): InboxAnswer {
  if (kind === 'plain') return answerJson({ received: true });
  return answerAsRobot(kind, { ...message, settings: robot, state: robotState, messageId: received });
}

/** In pieces: texts of a megabyte would be kept outside of the engine's heap, which does not give back what was freed. */
function textOf(bytes: Buffer): string {
  const decoder = new StringDecoder();
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceLength)
    text += decoder.write(bytes.subarray(at, at + pieceLength));
  return text;
}

const pieceLength = 524_288;

function messageOf(
  { name, inbox }: { name: string; inbox: Editable<Inbox> },
  { request, now }: ReceivedMessage,
  outcome: InboxOutcome,
): InboxMessage {
  const { method, path, headers, body } = request;
  const { secret } = inbox;
  return {
    inbox: name,
    id: inbox.received,
    at: now,
    method,
    path,
    headers: { ...headers },
    ...(isUtf8(body) ? { body: textOf(body) } : { bodyBase64: body.toString('base64') }),
    ...(secret !== undefined && { verified: isSignedBy(secret, body, headers['x-webhook-signature']) }),
    answer: typeof outcome === 'string' ? { error: outcome } : { status: outcome.status, body: outcome.body },
  };
}
