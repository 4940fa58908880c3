// The built-in webhook receivers: each is there as soon as something is sent to it or it is set up.
import type { Inbox, World } from '../world/world.ts';

const mostInboxes = 1000;

export type InboxSettings = Partial<Pick<Inbox, 'secret' | 'respond' | 'kind' | 'robot'>>;

/** The inbox of this name; one more than the mock keeps costs the oldest. */
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
  if (inboxes.size > mostInboxes && oldest !== undefined) inboxes.delete(oldest);
  return inbox;
}

/** What is given replaces what was set, the rest stays. Another kind of robot has not counted any messages yet. */
export function configureInbox(world: World, name: string, settings: InboxSettings): Inbox {
  const inbox = openInbox(world, name);
  if (settings.kind !== undefined && settings.kind !== inbox.kind) inbox.robotState = { times: [] };
  // A copy, for the inbox takes its script to pieces.
  return Object.assign(inbox, structuredClone(settings));
}

/** Forgets the messages, the rest of the script and what the robot counted; the inbox stays what it is. */
export function clearInbox({ inboxes }: World, name: string): void {
  const inbox = inboxes.get(name);
  if (inbox) Object.assign(inbox, { messages: [], received: 0, respond: [], robotState: { times: [] } });
}
