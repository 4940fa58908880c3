import type { Schemas } from '../../../openapi/generated/control-types.ts';
import { openInbox } from '../../inbox/inboxes.ts';
import type { InboxMessage } from '../../world/entries.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import { show } from './show.ts';

export function addressOfInbox(mock: ControlledMock, name: string): string {
  return `${mock.addresses().controlUrl}/inbox/${encodeURIComponent(name)}`;
}

/** Leaves out names without an inbox. */
export function noteInboxes(
  mock: ControlledMock,
  names: Iterable<string> = mock.world.inboxes.keys(),
): Schemas['InboxNote'][] {
  return [...names].flatMap((name) => {
    const inbox = mock.world.inboxes.get(name);
    if (!inbox) return [];
    const { kind, secret, received, respond } = inbox;
    const url = addressOfInbox(mock, name);
    return show({ name, url, kind, hasSecret: secret !== undefined, received, respond: respond.length });
  });
}

export function showInbox(mock: ControlledMock, name: string): Schemas['Inbox'] {
  const { kind, secret, respond, robot } = openInbox(mock.world, name);
  const { token, signSecret, keywords, ...shown } = robot;
  const given = { hasToken: token !== undefined, hasSignSecret: signSecret !== undefined };
  const robotShown = show({ ...given, ...shown, keywords: keywords && [...keywords] });
  const url = addressOfInbox(mock, name);
  return show({ name, url, kind, hasSecret: secret !== undefined, respond: [...respond], robot: robotShown });
}

export function showMessage({ inbox: _, at, bodyBase64, ...message }: InboxMessage): Schemas['Message'] {
  return { ...message, ...show({ at, bodyBase64 }) };
}
