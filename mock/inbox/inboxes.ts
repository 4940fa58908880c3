import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import type { Robot } from '../../openapi/event-names.ts';
import type { Editable } from '../world/collection.ts';
import { deleteWith } from '../world/collections.ts';
import type { Inbox, InboxMessage } from '../world/entries.ts';
import { messageKey } from '../world/snapshot.ts';
import type { World } from '../world/world.ts';
import { answerJson, type InboxAnswer, type InboxRequest, isSignedBy } from './inbox-request.ts';
import { answerAsDingtalk } from './robots/dingtalk.ts';
import { answerAsFeishu } from './robots/feishu.ts';
import type { RobotCall } from './robots/robot-checks.ts';
import { answerAsWecom } from './robots/wecom.ts';

const maxInboxes = 1000;

export type InboxSettings = Partial<Pick<Inbox, 'secret' | 'respond' | 'kind' | 'robot'>>;

export function openInbox(world: World, name: string): Editable<Inbox> {
  const { inboxes } = world;
  if (inboxes.has(name)) return inboxes.edit(name);
  inboxes.set(name, { kind: 'plain', robot: {}, ...cleared() });
  const [oldest] = inboxes.keys();
  if (inboxes.size > maxInboxes && oldest !== undefined) {
    deleteWith(world, 'inboxes', oldest);
    inboxes.delete(oldest);
  }
  return inboxes.edit(name);
}

function cleared(): Pick<Inbox, 'received' | 'respond' | 'robotState'> {
  return { received: 0, respond: [], robotState: { times: [] } };
}

export function configureInbox(world: World, name: string, settings: InboxSettings): Inbox {
  const inbox = openInbox(world, name);
  if (settings.kind !== undefined && settings.kind !== inbox.kind) inbox.robotState = { times: [] };
  // Copied, since each answer removes a step of the script.
  return Object.assign(inbox, structuredClone(settings));
}

export function clearInbox(world: World, name: string): void {
  if (!world.inboxes.has(name)) return;
  deleteWith(world, 'inboxes', name);
  Object.assign(world.inboxes.edit(name), cleared());
}

/** `timeout` leaves the request unanswered, `reset` resets its connection. */
type InboxOutcome = InboxAnswer | 'timeout' | 'reset';

export function receiveMessage(
  world: World,
  name: string,
  { request, now }: { request: InboxRequest; now: number },
): { outcome: InboxOutcome; received: InboxMessage } {
  const inbox = openInbox(world, name);
  const id = ++inbox.received;
  const { kind, robot: settings, robotState: state, secret } = inbox;
  const answerByKind = () => {
    if (kind === 'plain') return answerJson({ received: true });
    const isClockStill = world.clock.mode === 'manual';
    return answerAsRobot(kind, { request, settings, state, messageId: id, now, isClockStill });
  };
  const outcome = nextScriptedOutcome(inbox) ?? answerByKind();
  const { method, path, headers, body } = request;
  const received: InboxMessage = {
    ...{ inbox: name, id, at: now, method, path, headers: { ...headers } },
    ...(isUtf8(body) ? { body: textOf(body) } : { bodyBase64: body.toString('base64') }),
    ...(secret !== undefined && { verified: isSignedBy(secret, body, headers['x-webhook-signature']) }),
    answer: typeof outcome === 'string' ? { error: outcome } : { status: outcome.status, body: outcome.body },
  };
  world.messages.set(messageKey(name, id), received);
  return { outcome, received };
}

const robots = { wecom: answerAsWecom, dingtalk: answerAsDingtalk, feishu: answerAsFeishu };

/** Behaves as the real robots are documented or observed; guesses are marked. */
export function answerAsRobot(kind: Robot, call: RobotCall): InboxAnswer {
  return robots[kind](call);
}

function nextScriptedOutcome({ respond }: Editable<Inbox>): InboxOutcome | undefined {
  const step = respond.shift();
  if (step === undefined || typeof step === 'string') return step;
  return { headers: {}, body: '', ...(typeof step === 'number' ? { status: step } : step) };
}

const pieceLength = 524_288;

/** Decoded in pieces: V8 stores strings of a megabyte outside its heap, where freed memory is not given back. */
function textOf(bytes: Buffer): string {
  const decoder = new StringDecoder();
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceLength)
    text += decoder.write(bytes.subarray(at, at + pieceLength));
  return text;
}
