// Tools that look at the mock as a whole.

import type { Schemas } from '../../../openapi/generated/control-types.ts';
import { version } from '../../../openapi/version.ts';
import { Refused, Unreachable } from '../../steer/mock-client.ts';
import type { Session } from '../session.ts';
import { defineTool, type Tool } from '../tool.ts';

const getStatus = defineTool<Record<string, never>>({
  name: 'get_status',
  title: 'Show the settings and the mock',
  description:
    'Shows what this server was started with, and the mock that its tools are for: addresses, version, clock, profile, operations, the faults that are on, answers that were asked for, and how much of each limit is used.',
  isReadOnly: true,
  hasTextsOfOthers: true,
  input: {},
  call: async (_input, { session }) => ({
    server: {
      version,
      allows_changes: session.allowsChanges,
      base_url: session.given.text('base-url') ?? null,
      profile: session.given.text('profile') ?? null,
      run_under_way: session.run !== undefined,
      has_report: session.lastReport !== undefined,
    },
    mock: await describeMock(session),
  }),
});

/** Where there is none, that is an answer, too. */
async function describeMock(session: Session): Promise<object> {
  try {
    const mock = session.findMock();
    const { profile, ...health } = await mock.GET('/health');
    const { on: faults } = await mock.GET('/faults');
    const { overrides } = await mock.GET('/overrides');
    const { limits } = await mock.GET('/limits');
    return {
      control_url: mock.url,
      started_by_this_server: session.ownMock !== undefined,
      ...health,
      ...{ profile: profile.name, faults, overrides, limits },
    };
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Refused) return { problem: error.message };
    throw error;
  }
}

const getWorld = defineTool<{ site_id?: number }>({
  name: 'get_world',
  title: 'Look into the world of the mock',
  description:
    'Counts what the mock has and lists its tenants with their users, API keys by name, and sites; with site_id, what that site has. Passwords and keys are left out.',
  isReadOnly: true,
  hasTextsOfOthers: true,
  input: { site_id: { type: 'integer', minimum: 1, description: 'Shows one site in full.' } },
  call: async ({ site_id: site }, { session }) => {
    const mock = session.findMock();
    if (site !== undefined) return { site: await mock.GET('/sites/{siteId}', { path: { siteId: site } }) };
    const { tenants } = await mock.GET('/tenants');
    const query = { limit: 1 };
    const { total: deliveries } = await mock.GET('/deliveries', { query });
    const { total: requests } = await mock.GET('/requests', { query });
    const sites = tenants.flatMap((tenant) => tenant.sites);
    return {
      counts: {
        tenants: tenants.length,
        users: tenants.flatMap(({ users }) => users).length,
        sites: sites.length,
        subscriptions: sites.reduce((sum, { subscriptions }) => sum + subscriptions, 0),
        deliveries,
        requests,
      },
      tenants: tenants.map(withoutSecrets),
    };
  },
});

function withoutSecrets({ id, name, users, api_keys: keys, sites }: Schemas['Tenant']): object {
  return {
    ...{ id, name, sites },
    users: users.map(({ username }) => username),
    api_keys: keys.map(({ id: key, name: title }) => ({ id: key, name: title })),
  };
}

export const mockTools: readonly Tool[] = [getStatus, getWorld];
