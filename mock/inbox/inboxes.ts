// The built-in webhook receivers: each is created when it is first configured or receives a message.
import type { Editable } from '../world/collection.ts';
import { deleteWith } from '../world/collections.ts';
import type { Inbox } from '../world/entries.ts';
import type { World } from '../world/world.ts';

const maxInboxes = 1000;

export type InboxSettings = Partial<Pick<Inbox, 'secret' | 'respond' | 'kind' | 'robot'>>;

/** The inbox of this name. A new one over the limit replaces the oldest. */
export function openInbox(world: World, name: string): Editable<Inbox> {
  const { inboxes } = world;
  if (inboxes.has(name)) return inboxes.edit(name);
  const inbox: Inbox = {
    kind: 'plain',
    respond: [],
    robot: {},
    robotState: { times: [] },
    received: 0,
  };
  inboxes.set(name, inbox);
  const [oldest] = inboxes.keys();
  if (inboxes.size > maxInboxes && oldest !== undefined) {
    deleteWith(world, 'inboxes', oldest);
    inboxes.delete(oldest);
  }
  return inboxes.edit(name);
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
  Object.assign(world.inboxes.edit(name), { received: 0, respond: [], robotState: { times: [] } });
}
