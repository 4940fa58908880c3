import { parseJson } from '../../contract-tests/core/parse-json.ts';
import { redactAddress, redactBody, redactHeaders, redactText } from '../../mock/control/redact-request.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { version } from '../../openapi/version.ts';
import { UsageError } from '../options/usage-error.ts';
import { describeMock, inboxPath, readPages } from '../steer/control-calls.ts';
import { type MockClient, MockUnreachable, Refused } from '../steer/mock-client.ts';
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
    'Shows the settings of this server and the state of the mock: URLs, version, clock, profile, operations, faults that are on, overrides, usage of each limit, and the contents of its world.',
  call: async (_input, { session }) => ({
    server: {
      version,
      allows_changes: session.allowsChanges,
      base_url: session.given.text('base-url') ?? null,
      profile: session.given.text('profile') ?? null,
      run_under_way: session.run !== undefined,
      has_report: session.lastReport !== undefined,
    },
    mock: await session.useMock(describeWorld).catch(describeProblem),
  }),
};

async function describeWorld(mock: MockClient): Promise<object> {
  const described = await describeMock(mock);
  const { overrides } = await mock.GET('/overrides');
  const { tenants } = await mock.GET('/tenants');
  const { total: requests } = await mock.GET('/requests', { query: { limit: 1 } });
  const { total: deliveries } = await mock.GET('/deliveries', { query: { limit: 1 } });
  return {
    ...{ ...described, profile: described.profile.name, overrides, requests, deliveries },
    tenants: tenants.map(({ id, name, users, sites }) => {
      return { id, name, sites, users: users.map(({ username }) => username) };
    }),
  };
}

function describeProblem(error: unknown): object {
  if (error instanceof MockUnreachable || error instanceof Refused) return { problem: error.message };
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

const trafficMembers = { with_bodies: yesOrNo('Also show headers and bodies.'), ...pageMembers };

function pageOf(input: TrafficInput) {
  return { order: 'newest', limit: limitOf(input), cursor: input.cursor } as const;
}

export const requests: Tool = {
  name: 'requests',
  description:
    'Lists requests to the mock, the newest first: method, path, caller, status, business code, trace_id, and the reason of a refusal. Secrets are hidden.',
  takes: {
    operation: text('Only requests of this operationId, such as login.'),
    trace_id: text('Only the request with this trace_id.'),
    ...trafficMembers,
  },
  call: (input: TrafficInput, { session }) =>
    session.useMock(async (mock) => {
      const { operation, trace_id: wanted } = input;
      const query = { ...pageOf(input), operation };
      const page =
        wanted === undefined ? await mock.GET('/requests', { query }) : await findRequests(mock, wanted);
      return shownPage('requests', page, input);
    }),
};

/** More than one only if the mock was set to repeat a trace_id. */
async function findRequests(mock: MockClient, wanted: string) {
  const all = await readPages(mock, 'requests', (query) => mock.GET('/requests', { query }));
  return { requests: all.filter(({ trace_id: traceId }) => traceId === wanted).slice(0, mostRows) };
}

export const deliveries: Tool = {
  name: 'deliveries',
  description:
    'Lists the pushes (webhook messages) of the mock, the newest first: the state, all attempts with time, cause and status or error, and the time of the next attempt. With inbox, lists the messages that this built-in webhook receiver got instead: method, path, whether the signature is right, and the answer.',
  takes: {
    state: oneOf(['pending', 'delivered', 'given-up'], 'Only pushes in this state.'),
    site_id: count('Only pushes of this site.'),
    inbox: text('The name of an inbox.'),
    ...trafficMembers,
  },
  call: (input: TrafficInput, { session }) =>
    session.useMock(async (mock) => {
      const { state, site_id, inbox } = input;
      if (inbox !== undefined) return listMessages(mock, input, inbox);
      const query = { ...pageOf(input), state, site_id };
      return shownPage('deliveries', await mock.GET('/deliveries', { query }), input);
    }),
};

async function listMessages(mock: MockClient, input: TrafficInput, inbox: string): Promise<object> {
  if (input.state !== undefined || input.site_id !== undefined)
    throw new UsageError('messages have no state and no site_id; leave these out, or leave out inbox');
  const sent = { path: inboxPath(inbox), query: pageOf(input) };
  const page = await mock.GET('/inbox/{name}/messages', sent);
  const messages = page.messages.map((one) => ({ ...one, path: redactAddress(one.path) }));
  return shownPage('messages', { ...page, messages }, input);
}

type Entry = Schemas['Request'] | Schemas['Delivery'] | Schemas['Attempt'] | Schemas['Message'];

/** Members that take much space, or that may contain secrets. */
const roomy: Readonly<Record<string, (member: never) => unknown>> = {
  headers: redactHeaders,
  request_headers: redactHeaders,
  request_body: shownBody,
  response_body: shownBody,
  body: shownBody,
  body_base64: () => '(not UTF-8, and left out)',
  signature: () => undefined,
};

function shownPage<Name extends string>(
  name: Name,
  page: Record<Name, Entry[]>,
  { with_bodies: isWhole }: TrafficInput,
): object {
  return { ...page, [name]: page[name].map((one) => shownEntry(one, isWhole)) };
}

/** Without `isWhole`, leaves out headers and bodies. */
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

/** The request log contains parsed bodies without secrets; bodies of pushes and messages are original texts. */
function shownBody(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  if (parseJson(body) === undefined) return redactText(body);
  return redactBody(body, { names: [], pointers: [] });
}
