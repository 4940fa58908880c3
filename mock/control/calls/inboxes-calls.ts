import { configureInbox as changeInbox, clearInbox as emptyInbox } from '../../inbox/inboxes.ts';
import { checkInboxName } from '../control-error.ts';
import type { Call } from '../controlled-mock.ts';
import { listOf, noteInboxes, showInbox, showMessage } from '../show.ts';

/** An inbox exists once it was configured or has received a message. */
export const listInboxes: Call<'listInboxes'> = (mock) => ({ inboxes: noteInboxes(mock) });

export const configureInbox: Call<'configureInbox'> = (mock, { path: { name }, body }) => {
  const { robot, ...settings } = body;
  const { sign_secret: signSecret, ...others } = robot ?? {};
  const own = { ...others, ...(signSecret !== undefined && { signSecret }) };
  checkInboxName(name);
  changeInbox(mock.world, name, { ...settings, ...(robot && { robot: own }) });
  return showInbox(mock, name);
};

export const clearInbox: Call<'clearInbox'> = (mock, { path: { name } }) => {
  checkInboxName(name);
  emptyInbox(mock.world, name);
  return showInbox(mock, name);
};

export const listMessages: Call<'listMessages'> = ({ world }, { path: { name }, query }) => {
  checkInboxName(name);
  const { received = 0 } = world.inboxes.get(name) ?? {};
  const { total, ...page } = listOf('messages', world.messages.of(name).values(), query, showMessage);
  return { ...page, received, dropped: received - total };
};
