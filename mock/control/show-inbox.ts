// Inboxes and their messages, as they are shown.
import type { Schemas } from '../../openapi/generated/control-types.ts';
import type { Inbox, InboxMessage } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import { ControlError } from './control-error.ts';
import type { ControlledMock } from './controlled-mock.ts';

const longestName = 100;

/** Throws a ControlError for a name that can't be part of a URL. */
export function checkName(name: string): void {
  if (name !== '' && name.length <= longestName && name !== '.' && name !== '..') return;
  throw new ControlError(
    400,
    `the name of an inbox has 1 to ${longestName} characters, and is neither "." nor ".."`,
  );
}

/** The receiving URL of its subscriptions. */
export function addressOfInbox(mock: ControlledMock, name: string): string {
  return `${mock.addresses().controlUrl}/inbox/${encodeURIComponent(name)}`;
}

/** None where it is gone. */
export function noteInbox(mock: ControlledMock, name: string): Schemas['InboxNote'][] {
  const inbox = mock.world.inboxes.get(name);
  if (!inbox) return [];
  const { kind, secret, received, respond } = inbox;
  const url = addressOfInbox(mock, name);
  return [{ name, url, kind, has_secret: secret !== undefined, received, respond: respond.length }];
}

export function showInbox({ kind, secret, respond, robot }: Inbox): Omit<Schemas['Inbox'], 'name' | 'url'> {
  const { token, signSecret, keywords, ...shown } = robot;
  return {
    kind,
    has_secret: secret !== undefined,
    respond: [...respond],
    robot: {
      has_token: token !== undefined,
      has_sign_secret: signSecret !== undefined,
      ...shown,
      ...(keywords && { keywords: [...keywords] }),
    },
  };
}

/** A message as it came. */
export function showMessage({ inbox: _, at, bodyBase64, ...message }: InboxMessage): Schemas['Message'] {
  return { ...message, at: isoTime(at), ...(bodyBase64 !== undefined && { body_base64: bodyBase64 }) };
}
