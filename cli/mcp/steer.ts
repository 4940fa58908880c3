import { eventNames } from '../../openapi/event-names.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { UsageError } from '../options/usage-error.ts';
import { readSigningSecrets } from '../options/webhook-options.ts';
import { advanceClock, causeEvent, inboxPath, resetWorld } from '../steer/control-calls.ts';
import type { MockClient } from '../steer/mock-client.ts';
import { shownEntry } from './look-at-mock.ts';
import {
  count,
  createProblemFinder,
  type Input,
  mostRows,
  oneOf,
  schemaOf,
  type Tool,
  text,
  texts,
  yesOrNo,
} from './tool.ts';

interface Action extends Input {
  does: string;
  /** `input` is valid. */
  run(mock: MockClient, input: object): Promise<object>;
}

interface InboxInput {
  inbox: string;
  clear?: boolean;
  respond?: Schemas['InboxStep'][];
  kind?: Schemas['InboxKind'];
  keywords?: string[];
  check_signatures?: boolean;
}

const operation = text('An operationId, such as publishSite.');

/** The mock checks members that have no type here. */
const actions: Readonly<Record<string, Action>> = {
  advance: {
    does: 'moves the clock forward, runs everything that is due by then, such as retries, and returns the attempts',
    needs: { by: text('A duration such as PT36M, P1D, 90s, 36m or 1h.') },
    run: async (mock, { by }: { by: string }) => {
      const { attempts, ...clock } = await advanceClock(mock, by);
      return { clock, attempts: attempts.map((one) => shownEntry(one)) };
    },
  },
  trigger: {
    does: 'causes an event, waits until the mock has pushed it to all subscribers, and returns the deliveries',
    needs: { event: oneOf(eventNames, 'The event.') },
    takes: {
      site_id: count('Default: the only site with a subscription to the event.'),
      data: { type: 'object', description: '`data` of the push. Default: from the contents of the site.' },
    },
    run: async (mock, cause: Schemas['Cause']) => {
      const { site_id, deliveries } = await causeEvent(mock, cause);
      const shown = deliveries.slice(0, mostRows).map((one) => shownEntry(one));
      return { site_id, total: deliveries.length, deliveries: shown };
    },
  },
  resend: {
    does: 'sends a push again at once, in any state',
    needs: { delivery: count('The id of a push.') },
    run: async (mock, { delivery: id }: { delivery: number }) => ({
      delivery: shownEntry(await mock.POST('/deliveries/{id}/redeliver', { path: { id } })),
    }),
  },
  reset: {
    does: 'resets the world with its clock to the initial state and empties the list of requests; with a tenant, only that tenant',
    takes: {
      tenant: text('Id or name of a tenant.'),
      keep_sessions: yesOrNo('Keep users logged in.'),
    },
    run: (mock, { tenant, keep_sessions: keeps }: { tenant?: string; keep_sessions?: boolean }) =>
      resetWorld(mock, tenant, keeps ?? false),
  },
  fault: {
    does: 'turns the named faults on and all others off; each makes the mock break a promise',
    needs: { faults: texts('Ids of faults; an empty list turns all off.') },
    run: async (mock, { faults }: { faults: string[] }) => ({
      on: (await mock.PUT('/faults', { body: { on: faults } })).on,
    }),
  },
  inbox: {
    does: 'configures a built-in webhook receiver and returns its URL for a subscription; settings that you leave out do not change',
    needs: { inbox: text('Any name for the inbox.') },
    takes: {
      clear: yesOrNo('First delete its messages and prepared answers.'),
      respond: {
        type: 'array',
        description: 'Answers to the next messages: for each an HTTP status, "timeout" or "reset".',
      },
      kind: text('plain, or the chat robot wecom, dingtalk or feishu.'),
      keywords: texts('A message to a robot must contain one of these.'),
      check_signatures: yesOrNo('Verify signatures with the SITEPUB_WEBHOOK_SECRET of this server.'),
    },
    run: configureInbox,
  },
  override: {
    does: 'forces the status, business code or body of the next answers of an operation, or delays them',
    needs: { operation },
    takes: {
      status: { type: 'integer' },
      code: { type: 'integer', description: 'A business code of the deployment.' },
      body: { description: 'The whole answer, as JSON.' },
      delay_ms: { type: 'integer' },
      times: count('Number of calls. Default: all calls.'),
    },
    run: (mock, body: Schemas['Override']) => mock.POST('/overrides', { body }),
  },
  'clear-overrides': {
    does: 'removes overrides, of one operation or of all',
    takes: { operation },
    run: (mock, query: { operation?: string }) => mock.DELETE('/overrides', { query }),
  },
};

async function configureInbox(mock: MockClient, input: InboxInput): Promise<object> {
  const { inbox, clear, respond, kind, keywords, check_signatures: checks } = input;
  const path = inboxPath(inbox);
  const [secret] = checks ? readSigningSecrets({ isDemanded: false }) : [];
  if (checks && secret === undefined)
    throw new UsageError(
      'check_signatures needs a signing secret; set SITEPUB_WEBHOOK_SECRET before you start this server, because clients cannot pass secrets',
    );
  if (clear) await mock.DELETE('/inbox/{name}', { path });
  const body = { respond, kind, ...(keywords && { robot: { keywords } }), secret };
  return mock.PUT('/inbox/{name}', { path, body });
}

const described = Object.entries(actions).map(([name, { does, needs = {}, takes = {} }]) => {
  const members = [...Object.keys(needs), ...Object.keys(takes).map((member) => `${member}?`)];
  return `${name} (${members.join(', ')}) ${does}.`;
});

export const steer: Tool = {
  name: 'steer',
  description: `Changes the mock. Each action has its own members: ${described.join(' ')}`,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  needs: { action: oneOf(Object.keys(actions), 'What to do.') },
  takes: Object.assign({}, ...Object.values(actions).map(({ needs, takes }) => ({ ...needs, ...takes }))),
  call: ({ action: name, ...input }: { action: string }, { session }) => {
    const action = actions[name];
    const problem = action && createProblemFinder(schemaOf(action))(input);
    if (!action || problem) throw new UsageError(`${name}: ${problem}`);
    return session.useMock((mock) => action.run(mock, input));
  },
};
