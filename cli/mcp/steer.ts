// The tool `steer`, which changes the mock: its time, events, answers, faults and inboxes.
import { eventNames } from '../../openapi/event-names.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { UsageError } from '../options/usage-error.ts';
import { readSigningSecrets } from '../options/webhook-options.ts';
import { advanceClock, causeEvent, inboxNamed, resetWorld } from '../steer/control-calls.ts';
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
  /** Gets an input that fits. */
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

/** What has no type here, the mock checks. */
const actions: Readonly<Record<string, Action>> = {
  advance: {
    does: 'moves the clock forward, does all that is due by then, such as retries, and gives the attempts',
    needs: { by: text('A duration such as PT36M, P1D, 90s, 36m or 1h.') },
    run: async (mock, { by }: { by: string }) => {
      const { attempts, ...clock } = await advanceClock(mock, by);
      return { clock, attempts: attempts.map((one) => shownEntry(one)) };
    },
  },
  trigger: {
    does: 'causes an event, waits until it was pushed to those who are subscribed, and gives the deliveries',
    needs: { event: oneOf(eventNames, 'What happens.') },
    takes: {
      site_id: count('Default: the only site with a subscription to the event.'),
      data: { type: 'object', description: 'What the push has as `data`. Default: what the site has.' },
    },
    run: async (mock, cause: Schemas['Cause']) => {
      const { site_id, deliveries } = await causeEvent(mock, cause);
      const shown = deliveries.slice(0, mostRows).map((one) => shownEntry(one));
      return { site_id, total: deliveries.length, deliveries: shown };
    },
  },
  resend: {
    does: 'sends a push once more, now, whatever came of it before',
    needs: { delivery: count('The id of a push.') },
    run: async (mock, { delivery: id }: { delivery: number }) => ({
      delivery: shownEntry(await mock.POST('/deliveries/{id}/redeliver', { path: { id } })),
    }),
  },
  reset: {
    does: 'puts the world back as it was at the beginning, its clock included, and empties the journal; with a tenant, only what belongs to it',
    takes: {
      tenant: text('The id or the name of a tenant.'),
      keep_sessions: yesOrNo('Who is logged in stays so.'),
    },
    run: (mock, { tenant, keep_sessions: keeps }: { tenant?: string; keep_sessions?: boolean }) =>
      resetWorld(mock, tenant, keeps ?? false),
  },
  fault: {
    does: 'turns on the faults that are named and all others off: the mock then breaks these promises',
    needs: { faults: texts('Their ids; an empty list turns off all.') },
    run: async (mock, { faults }: { faults: string[] }) => ({
      on: (await mock.PUT('/faults', { body: { on: faults } })).on,
    }),
  },
  inbox: {
    does: 'tells a built-in webhook receiver what to answer and as what it acts, and gives its address for a subscription; what is left out stays as it is',
    needs: { inbox: text('The name of an inbox: any will do.') },
    takes: {
      clear: yesOrNo('Forgets its messages and prepared answers first.'),
      respond: {
        type: 'array',
        description: 'What the next messages are answered, each by an HTTP status, "timeout" or "reset".',
      },
      kind: text('plain, or as a chat robot wecom, dingtalk or feishu.'),
      keywords: texts('What a message to a robot must have one of.'),
      check_signatures: yesOrNo('Checks signatures with the SITEPUB_WEBHOOK_SECRET of this server.'),
    },
    run: configureInbox,
  },
  override: {
    does: 'makes the next calls of an operation get this status, business code or body, or wait so long',
    needs: { operation },
    takes: {
      status: { type: 'integer' },
      code: { type: 'integer', description: 'A business code of the deployment.' },
      body: { description: 'The whole answer, as JSON.' },
      delay_ms: { type: 'integer' },
      times: count('Default: all calls.'),
    },
    run: (mock, body: Schemas['Override']) => mock.POST('/overrides', { body }),
  },
  'clear-overrides': {
    does: 'forgets these answers, of one operation or of all',
    takes: { operation },
    run: (mock, query: { operation?: string }) => mock.DELETE('/overrides', { query }),
  },
};

async function configureInbox(mock: MockClient, input: InboxInput): Promise<object> {
  const { inbox, clear, respond, kind, keywords, check_signatures: checks } = input;
  const path = inboxNamed(inbox);
  const [secret] = checks ? readSigningSecrets({ isDemanded: false }) : [];
  if (checks && secret === undefined)
    throw new UsageError(
      'check_signatures needs a signing secret; start this server with SITEPUB_WEBHOOK_SECRET set, since secrets are not taken from clients',
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
  description: `Changes the mock; each action has its own members: ${described.join(' ')}`,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  needs: { action: oneOf(Object.keys(actions), 'What is done.') },
  takes: Object.assign({}, ...Object.values(actions).map(({ needs, takes }) => ({ ...needs, ...takes }))),
  call: ({ action: name, ...input }: { action: string }, { session }) => {
    const action = actions[name];
    const problem = action && createProblemFinder(schemaOf(action))(input);
    if (!action || problem) throw new UsageError(`${name}: ${problem}`);
    return session.useMock((mock) => action.run(mock, input));
  },
};
