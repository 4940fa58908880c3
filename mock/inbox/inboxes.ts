// The built-in webhook receivers. Each message is recorded, and answered by the inbox's script, then by its kind.
import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import type { Editable } from '../world/collection.ts';
import { deleteWith } from '../world/collections.ts';
import type { Inbox } from '../world/entries.ts';
import { messageKey } from '../world/snapshot.ts';
import type { World } from '../world/world.ts';
import { answerJson, type InboxAnswer, type InboxRequest, isSignedBy } from './inbox-request.ts';
import { answerAsRobot } from './robots/robot-answer.ts';

const maxInboxes = 1000;

export type InboxSettings = Partial<Pick<Inbox, 'secret' | 'respond' | 'kind' | 'robot'>>;

/** The inbox of this name. A new one over the limit replaces the oldest. */
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

/** What is lost when an inbox is cleared. */
function cleared(): Pick<Inbox, 'received' | 'respond' | 'robotState'> {
  return { received: 0, respond: [], robotState: { times: [] } };
}

/** Changes the given settings and keeps the others. A different kind of robot starts to count anew. */
export function configureInbox(world: World, name: string, settings: InboxSettings): Inbox {
  const inbox = openInbox(world, name);
  if (settings.kind !== undefined && settings.kind !== inbox.kind) inbox.robotState = { times: [] };
  // A copy, since the inbox removes entries of its script.
  return Object.assign(inbox, structuredClone(settings));
}

/** Clears the messages, the rest of the script and the robot's counts, and keeps the settings. */
export function clearInbox(world: World, name: string): void {
  if (!world.inboxes.has(name)) return;
  deleteWith(world, 'inboxes', name);
  Object.assign(world.inboxes.edit(name), cleared());
}

/** An answer, no answer, or a reset of the connection. */
type InboxOutcome = InboxAnswer | 'timeout' | 'reset';

/** Records a message and returns its answer. */
export function receiveMessage(
  world: World,
  name: string,
  { request, now }: { request: InboxRequest; now: number },
): InboxOutcome {
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
  world.messages.set(messageKey(name, id), {
    ...{ inbox: name, id, at: now, method, path, headers: { ...headers } },
    ...(isUtf8(body) ? { body: textOf(body) } : { bodyBase64: body.toString('base64') }),
    ...(secret !== undefined && { verified: isSignedBy(secret, body, headers['x-webhook-signature']) }),
    answer: typeof outcome === 'string' ? { error: outcome } : { status: outcome.status, body: outcome.body },
  });
  return outcome;
}

function nextScriptedOutcome({ respond }: Editable<Inbox>): InboxOutcome | undefined {
  const step = respond.shift();
  if (step === undefined || typeof step === 'string') return step;
  return { headers: {}, body: '', ...(typeof step === 'number' ? { status: step } : step) };
}

const pieceLength = 524_288;

/** In pieces: texts of a megabyte would be kept outside of the engine's heap, which does not give back what was freed. */
function textOf(bytes: Buffer): string {
  const decoder = new StringDecoder();
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceLength)
    text += decoder.write(bytes.subarray(at, at + pieceLength));
  return text;
}
