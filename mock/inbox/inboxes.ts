// The built-in webhook receivers: each is created when it is first configured or receives a message.
import type { Inbox, World } from '../world/world.ts';

const maxInboxes = 1000;

export type InboxSettings = Partial<Pick<Inbox, 'secret' | 'respond' | 'kind' | 'robot'>>;

/** The inbox of this name. A new one over the limit replaces the oldest. */
export function openInbox({ inboxes }: World, name: string): Inbox {
  const known = inboxes.get(name);
  if (known) return known;
  const inbox: Inbox = {
    kind: 'plain',
    respond: [],
    robot: {},
    robotState: { times: [] },
    messages: [],
    received: 0,
  };
  inboxes.set(name, inbox);
  const [oldest] = inboxes.keys();
  if (inboxes.size > maxInboxes && oldest !== undefined) inboxes.delete(oldest);
  return inbox;
}

/** Changes the given settings and keeps the others. A different kind of robot starts to count anew. */
export function configureInbox(world: World, name: string, settings: InboxSettings): Inbox {
  const inbox = openInbox(world, name);
  if (settings.kind !== undefined && settings.kind !== inbox.kind) inbox.robotState = { times: [] };
  // A copy, since the inbox removes entries of its script.
  return Object.assign(inbox, structuredClone(settings));
}

/** Clears the messages, the rest of the script and the robot's counts, and keeps the settings. */
export function clearInbox({ inboxes }: World, name: string): void {
  const inbox = inboxes.get(name);
  if (inbox) Object.assign(inbox, { messages: [], received: 0, respond: [], robotState: { times: [] } });
}
