// Built-in webhook receivers.
import { configureInbox as changeInbox, clearInbox as emptyInbox, openInbox } from '../../inbox/inboxes.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import { listOf } from '../page-of.ts';
import { addressOfInbox, checkName, noteInbox, showInbox, showMessage } from '../show-inbox.ts';
import type { Answer, Input } from './call.ts';

/** Those that were configured or have received a message. */
export function listInboxes(mock: ControlledMock): Answer<'listInboxes'> {
  return { inboxes: [...mock.world.inboxes.keys()].flatMap((name) => noteInbox(mock, name)) };
}

export function configureInbox(
  mock: ControlledMock,
  { path: { name }, body: { robot, ...settings } }: Input<'configureInbox'>,
): Answer<'configureInbox'> {
  checkName(name);
  if (!robot) changeInbox(mock.world, name, settings);
  else {
    const { sign_secret: signSecret, ...others } = robot;
    const own = { ...others, ...(signSecret !== undefined && { signSecret }) };
    changeInbox(mock.world, name, { ...settings, robot: own });
  }
  return show(mock, name);
}

/** Deletes the messages and the prepared answers, but not the other settings. */
export function clearInbox(
  mock: ControlledMock,
  { path: { name } }: Input<'clearInbox'>,
): Answer<'clearInbox'> {
  checkName(name);
  emptyInbox(mock.world, name);
  return show(mock, name);
}

export function listMessages(
  { world }: ControlledMock,
  { path: { name }, query }: Input<'listMessages'>,
): Answer<'listMessages'> {
  checkName(name);
  const { received = 0 } = world.inboxes.get(name) ?? {};
  const { total, ...page } = listOf('messages', world.messages.of(name).values(), query, showMessage);
  return { ...page, received, dropped: received - total };
}

function show(mock: ControlledMock, name: string): Answer<'clearInbox'> {
  return { name, url: addressOfInbox(mock, name), ...showInbox(openInbox(mock.world, name)) };
}
