// The tools `status`, `requests` and `deliveries`: the mock, what it was asked, what it pushed, and what came to its inboxes.
import { parseJson } from '../../contract-tests/core/parse-json.ts';
import { redactAddress, redactBody, redactHeaders, redactText } from '../../mock/control/redact-request.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { version } from '../../openapi/version.ts';
import { UsageError } from '../options/usage-error.ts';
import { inboxNamed } from '../steer/inbox-named.ts';
import { type MockClient, Refused, Unreachable } from '../steer/mock-client.ts';
import { readPages } from '../steer/read-pages.ts';
import {
  count,
  limitOf,
  mostRows,
  oneOf,
  type PageInput,
  pageMembers,
  type Tool,
  text,
  yesOrNo,
} from './tool.ts';

export const status: Tool = {
  name: 'status',
  description:
    'Shows what this server was started with, and the mock that its tools are for: addresses, version, clock, profile, operations, the faults that are on, answers that were asked for, how much of each limit is used, and what its world has.',
  call: async (_input, { session }) => ({
    server: {
      version,
      allows_changes: session.allowsChanges,
      base_url: session.given.text('base-url') ?? null,
      profile: session.given.text('profile') ?? null,
      run_under_way: session.run !== undefined,
      has_report: session.lastReport !== undefined,
    },
    mock: await session.useMock(describeMock).catch(sayProblem),
  }),
};

async function describeMock(mock: MockClient): Promise<object> {
  const { profile, ...health } = await mock.GET('/health');
  const { on: faults } = await mock.GET('/faults');
  const { overrides } = await mock.GET('/overrides');
  const { limits } = await mock.GET('/limits');
  const { tenants } = await mock.GET('/tenants');
  const { total: requestCount } = await mock.GET('/requests', { query: { limit: 1 } });
  const { total: deliveryCount } = await mock.GET('/deliveries', { query: { limit: 1 } });
  return {
    control_url: mock.url,
    ...{ ...health, profile: profile.name, faults, overrides, limits },
    ...{ requests: requestCount, deliveries: deliveryCount },
    tenants: tenants.map(({ id, name, users, sites }) => {
      return { id, name, sites, users: users.map(({ username }) => username) };
    }),
  };
}

/** No mock at all is an answer, too. */
function sayProblem(error: unknown): object {
  if (error instanceof Unreachable || error instanceof Refused) return { problem: error.message };
  throw error;
}

interface TrafficInput extends PageInput {
  operation?: string;
  trace_id?: string;
  state?: Schemas['DeliveryState'];
  site_id?: number;
  inbox?: string;
  with_bodies?: boolean;
}

const trafficMembers = { with_bodies: yesOrNo('Shows headers and bodies, too.'), ...pageMembers };

function pageOf(input: TrafficInput) {
  return { order: 'newest', limit: limitOf(input), cursor: input.cursor } as const;
}

export const requests: Tool = {
  name: 'requests',
  description:
    'Lists what the service of the mock was asked and what it answered, the newest first: method, path, who called, status, code, trace_id, and why it was refused. Secrets are hidden.',
  takes: {
    operation: text('Only those of an operationId, such as login.'),
    trace_id: text('Only the one with this trace_id.'),
    ...trafficMembers,
  },
  call: (input: TrafficInput, { session }) =>
    session.useMock(async (mock) => {
      const { operation, trace_id: wanted, with_bodies: isWhole } = input;
      const query = { ...pageOf(input), operation };
      const { requests: found, ...page } =
        wanted === undefined ? await mock.GET('/requests', { query }) : await findRequests(mock, wanted);
      return { requests: found.map((one) => shownEntry(one, isWhole)), ...page };
    }),
};

/** One, unless the mock was told to use a trace_id again. */
async function findRequests(mock: MockClient, wanted: string) {
  const all = await readPages(mock, 'requests', (query) => mock.GET('/requests', { query }));
  return { requests: all.filter(({ trace_id: traceId }) => traceId === wanted).slice(0, mostRows) };
}

export const deliveries: Tool = {
  name: 'deliveries',
  description:
    'Lists the pushes (webhook messages) of the mock, the newest first, with their state and all attempts: when, why, status or error, and when the next is due. With inbox, lists what came to that built-in webhook receiver instead: method, path, whether the signature is right, and what was answered.',
  takes: {
    state: oneOf(['pending', 'delivered', 'given-up'], 'Only pushes in this state.'),
    site_id: count('Only pushes of a site.'),
    inbox: text('The name of an inbox.'),
    ...trafficMembers,
  },
  call: (input: TrafficInput, { session }) =>
    session.useMock((mock) =>
      input.inbox === undefined ? listPushes(mock, input) : listMessages(mock, input),
    ),
};

async function listPushes(mock: MockClient, input: TrafficInput): Promise<object> {
  const query = { ...pageOf(input), state: input.state, site_id: input.site_id };
  const { deliveries: found, ...page } = await mock.GET('/deliveries', { query });
  return { deliveries: found.map((one) => shownEntry(one, input.with_bodies)), ...page };
}

async function listMessages(mock: MockClient, input: TrafficInput): Promise<object> {
  if (input.state !== undefined || input.site_id !== undefined)
    throw new UsageError('messages have no state and no site_id; leave these out, or leave out inbox');
  const sent = { path: inboxNamed(input.inbox ?? ''), query: pageOf(input) };
  const { messages, ...page } = await mock.GET('/inbox/{name}/messages', sent);
  const found = messages.map((one) => ({ ...one, path: redactAddress(one.path) }));
  return { messages: found.map((one) => shownEntry(one, input.with_bodies)), ...page };
}

type Entry = Schemas['Request'] | Schemas['Delivery'] | Schemas['Attempt'] | Schemas['Message'];

/** How the members are shown that take much room; all others stay as they are. */
const roomy: Readonly<Record<string, (member: never) => unknown>> = {
  headers: redactHeaders,
  request_headers: redactHeaders,
  request_body: shownBody,
  response_body: shownBody,
  body: shownBody,
  body_base64: () => '(not UTF-8, and left out)',
  signature: () => undefined,
};

/** A request, a push with its attempts, or a message without secrets; without headers and bodies unless it is wanted whole. */
export function shownEntry(entry: Entry, isWhole = false): object {
  const members = Object.entries(entry).flatMap(([name, member]) => {
    if (name === 'attempts' && Array.isArray(member))
      return [[name, member.map((one: Entry) => shownEntry(one, isWhole))]];
    if (name === 'answer') return [[name, shownBody(member)]];
    const show = roomy[name];
    if (!show) return [[name, member]];
    return isWhole ? [[name, show(member as never)]] : [];
  });
  return Object.fromEntries(members);
}

/** Only the journal has bodies as values, and without secrets; those of pushes and messages are texts as they were sent. */
function shownBody(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  if (parseJson(body) === undefined) return redactText(body);
  return redactBody(body, { names: [], pointers: [] });
}
