import { clearInbox, configureInbox, type InboxSettings, openInbox } from '../inbox/inboxes.ts';
import type { Inbox, InboxMessage } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { checkBody } from './check-body.ts';
import { ControlError } from './control-error.ts';
import type {
  InboxControl,
  InboxNoteView,
  InboxRequest,
  InboxView,
  MessagesView,
  MessageView,
  PageRequest,
} from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { pageOf } from './page-of.ts';

const longestName = 100;

export function inboxControl(mock: ControlledMock) {
  return {
    /** Those that were configured or have received a message. */
    inboxes: (): { inboxes: InboxNoteView[] } => {
      const { inboxes } = mock.world;
      return {
        inboxes: [...inboxes].map(([name, inbox]) => noteInbox(mock.addresses().controlUrl, name, inbox)),
      };
    },

    inbox(name: string): InboxControl {
      checkName(name);
      const url = addressOf(mock.addresses().controlUrl, name);
      const show = (world: World) => ({ name, url, ...showInbox(openInbox(world, name)) });
      return {
        url,
        configure(settings) {
          checkBody('configureInbox', settings);
          const { world } = mock;

          configureInbox(world, name, readSettings(settings));
          return show(world);
        },
        messages: (page) => showMessages(mock.world, name, page),
        clear: () => {
          const { world } = mock;

          clearInbox(world, name);
          return show(world);
        },
      };
    },
  };
}

export function noteInbox(controlUrl: string, name: string, inbox: Inbox): InboxNoteView {
  const { kind, secret, received, respond } = inbox;
  const url = addressOf(controlUrl, name);
  return { name, url, kind, has_secret: secret !== undefined, received, respond: respond.length };
}

function addressOf(controlUrl: string, name: string): string {
  return `${controlUrl}/inbox/${encodeURIComponent(name)}`;
}

/** Throws a ControlError for a name that can't be part of a URL. */
export function checkName(name: string): void {
  if (name !== '' && name.length <= longestName && name !== '.' && name !== '..') return;
  throw new ControlError(
    400,
    `the name of an inbox has 1 to ${longestName} characters, and is neither "." nor ".."`,
  );
}

function readSettings({ robot, ...settings }: InboxRequest): InboxSettings {
  if (!robot) return settings;
  const { sign_secret: signSecret, ...others } = robot;
  return { ...settings, robot: { ...others, ...(signSecret !== undefined && { signSecret }) } };
}

function showInbox({ kind, secret, respond, robot }: Inbox): Omit<InboxView, 'name' | 'url'> {
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

function showMessages({ inboxes, messages }: World, name: string, page: PageRequest = {}): MessagesView {
  const { received = 0 } = inboxes.get(name) ?? {};
  const { shown, total, more } = pageOf([...messages.of(name).values()], page, ({ id }) => id);
  return { messages: shown.map(showMessage), ...more, received, dropped: received - total };
}

export function showMessage({ inbox: _, at, bodyBase64, ...message }: InboxMessage): MessageView {
  return { ...message, at: isoTime(at), ...(bodyBase64 !== undefined && { body_base64: bodyBase64 }) };
}
