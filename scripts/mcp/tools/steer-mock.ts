// Tools that change the mock: time, events, answers, faults, inboxes.

import { eventNames } from '../../../openapi/event-names.ts';
import type { Schemas } from '../../../openapi/generated/control-types.ts';
import { readIsoDuration } from '../../options/read-values.ts';
import { readSigningSecrets } from '../../options/webhook-options.ts';
import { UsageError } from '../../options/usage-error.ts';
import { inboxNamed } from '../../steer/inbox-named.ts';
import { defineTool, type Tool } from '../tool.ts';
import { shortAttempt, showDelivery } from './read-traffic.ts';

const advanceClock = defineTool<{ by: string }>({
  name: 'advance_clock',
  title: 'Move the clock',
  description:
    'Moves the clock of the mock forward and does all that is due by then, such as retries of pushes; gives the attempts that it caused. The clock can not go back.',
  isReadOnly: false,
  isDestructive: true,
  isOpenWorld: true,
  hasTextsOfOthers: true,
  input: {
    by: { type: 'string', maxLength: 40, description: 'A duration such as PT36M, P1D, 90s, 36m or 1h.' },
  },
  required: ['by'],
  call: async ({ by }, { session }) => {
    const body = { advance: readIsoDuration(by) };
    const { attempts, ...clock } = await session.findMock().POST('/clock', { body });
    return {
      clock,
      attempts: attempts.map(shortAttempt),
    };
  },
});

const triggerEvent = defineTool<Schemas['Cause']>({
  name: 'trigger_event',
  title: 'Trigger an event',
  description:
    'Causes an event in the mock, waits until it was pushed to those who are subscribed, and gives the deliveries.',
  isReadOnly: false,
  isDestructive: false,
  isOpenWorld: true,
  hasTextsOfOthers: true,
  input: {
    event: { type: 'string', enum: [...eventNames] },
    site_id: {
      type: 'integer',
      minimum: 1,
      description: 'Default: the only site with a subscription to the event.',
    },
    data: {
      type: 'object',
      description: 'What the push has as `data`. Default: what the site has, such as its newest content.',
    },
  },
  required: ['event'],
  call: async (input, { session }) => {
    const mock = session.findMock();
    const { site_id: site, deliveries } = await mock.POST('/events', { body: input });
    if (deliveries.length > 0) await mock.POST('/drain');
    const sent: object[] = [];
    for (const { id } of deliveries.slice(0, 50))
      sent.push(showDelivery(await mock.GET('/deliveries/{id}', { path: { id } })));
    return { site_id: site, total: deliveries.length, deliveries: sent };
  },
});

const redeliverPush = defineTool<{ delivery: number }>({
  name: 'redeliver_push',
  title: 'Send a push again',
  description: 'Sends the bytes of a delivery of the mock once more, now, whatever came of it before.',
  isReadOnly: false,
  isDestructive: false,
  isOpenWorld: true,
  hasTextsOfOthers: true,
  input: { delivery: { type: 'integer', minimum: 1, description: 'Its id, as list_deliveries gives it.' } },
  required: ['delivery'],
  call: async ({ delivery }, { session }) => ({
    delivery: showDelivery(
      await session.findMock().POST('/deliveries/{id}/redeliver', { path: { id: delivery } }),
    ),
  }),
});

const resetWorld = defineTool<{ tenant?: string; keep_sessions?: boolean }>({
  name: 'reset_world',
  title: 'Reset the world',
  description:
    'Puts the world of the mock back as it was at the beginning, its clock included, and empties the journal of requests; with a tenant, only what belongs to it.',
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: true,
  input: {
    tenant: { type: 'string', maxLength: 200, description: 'The id or the name of a tenant.' },
    keep_sessions: { type: 'boolean', description: 'Who is logged in stays so. Default: false.' },
  },
  call: ({ tenant, keep_sessions: keeps }, { session }) => {
    const sessions = keeps ? 'keep' : undefined;
    return session.findMock().POST('/reset', { query: { tenant, sessions } });
  },
});

const setFaults = defineTool<{ on: string[] }>({
  name: 'set_faults',
  title: 'Choose faults',
  description:
    'Turns on the faults that are named, and all others off: the mock then breaks these promises. An empty list turns off all.',
  isReadOnly: false,
  isDestructive: false,
  isIdempotent: true,
  input: {
    on: {
      type: 'array',
      maxItems: 1_000,
      items: { type: 'string', maxLength: 80 },
      description: 'Ids of faults, as list_faults gives them.',
    },
  },
  required: ['on'],
  call: async ({ on: wanted }, { session }) => {
    const { on } = await session.findMock().PUT('/faults', { body: { on: wanted } });
    return { on };
  },
});

interface InboxInput {
  inbox: string;
  clear?: boolean;
  respond?: Schemas['InboxStep'][];
  kind?: Schemas['InboxKind'];
  keywords?: string[];
  check_signatures?: boolean;
}

const configureInbox = defineTool<InboxInput>({
  name: 'configure_inbox',
  title: 'Configure an inbox',
  description:
    'Tells an inbox of the mock, a built-in webhook receiver, what to answer and as what it acts, and gives its address for a subscription. What is left out stays as it is.',
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: true,
  input: {
    inbox: { type: 'string', minLength: 1, maxLength: 100, description: 'Its name: any will do.' },
    clear: { type: 'boolean', description: 'Forgets its messages and prepared answers first.' },
    respond: {
      type: 'array',
      maxItems: 100,
      items: {
        oneOf: [
          { type: 'integer', minimum: 200, maximum: 599 },
          { type: 'string', enum: ['timeout', 'reset'] },
        ],
      },
      description: 'What the next messages are answered, one entry each: an HTTP status, timeout or reset.',
    },
    kind: {
      type: 'string',
      enum: ['plain', 'wecom', 'dingtalk', 'feishu'],
      description: 'As a chat robot, it accepts and refuses as the real one does.',
    },
    keywords: {
      type: 'array',
      maxItems: 10,
      items: { type: 'string', minLength: 1, maxLength: 100 },
      description: 'What a message to a robot must have one of.',
    },
    check_signatures: {
      type: 'boolean',
      description: 'Checks signatures with SITEPUB_WEBHOOK_SECRET of the environment of this server.',
    },
  },
  required: ['inbox'],
  call: async ({ inbox, clear, respond, kind, keywords, check_signatures: checks }, { session }) => {
    const mock = session.findMock();
    const path = inboxNamed(inbox);
    const secret = checks ? signingSecret() : undefined;
    if (clear) await mock.DELETE('/inbox/{name}', { path });
    const body = { respond, kind, ...(keywords && { robot: { keywords } }), secret };
    return mock.PUT('/inbox/{name}', { path, body });
  },
});

function signingSecret(): string {
  const [secret] = readSigningSecrets({ isDemanded: false });
  if (secret !== undefined) return secret;
  throw new UsageError(
    'check_signatures needs a signing secret; start this server with SITEPUB_WEBHOOK_SECRET set, since secrets are not taken from clients',
  );
}

const addOverride = defineTool<Schemas['Override']>({
  name: 'add_override',
  title: 'Ask for an answer',
  description:
    'Makes the next calls of an operation of the mock get this HTTP status, business code or body, or wait so long. Needs at least one of status, code, body and delay_ms.',
  isReadOnly: false,
  isDestructive: false,
  input: {
    operation: { type: 'string', maxLength: 60, description: 'An operationId, such as publishSite.' },
    status: { type: 'integer', minimum: 200, maximum: 599 },
    code: { type: 'integer', description: 'A business code of the deployment.' },
    body: { description: 'The whole answer, as JSON.' },
    delay_ms: { type: 'integer', minimum: 0, maximum: 300_000 },
    times: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'Default: all calls.' },
  },
  required: ['operation'],
  call: (input, { session }) => session.findMock().POST('/overrides', { body: input }),
});

const clearOverrides = defineTool<{ operation?: string }>({
  name: 'clear_overrides',
  title: 'Forget answers',
  description: 'Forgets the answers that add_override has asked for, of one operation or of all.',
  isReadOnly: false,
  isDestructive: false,
  isIdempotent: true,
  input: { operation: { type: 'string', maxLength: 60, description: 'An operationId. Default: all.' } },
  call: ({ operation }, { session }) => session.findMock().DELETE('/overrides', { query: { operation } }),
});

export const steeringTools: readonly Tool[] = [
  advanceClock,
  triggerEvent,
  redeliverPush,
  resetWorld,
  setFaults,
  configureInbox,
  addOverride,
  clearOverrides,
];
