import { ApiError } from '../../../mock/http/api-errors.ts';
import type { RootMock } from '../../../mock/server/create-mock.ts';
import { profileWith } from '../../../mock/testing/open-mock.ts';
import type { MockRun } from '../run-against-mock.ts';
import { replaceSteps } from './limiters.ts';
import { broken, row, type VerdictRow } from './verdict-row.ts';

const requirements = ['KEY-1', 'KEY-2', 'KEY-3', 'KEY-4', 'AUTH-3'];
const options = { tier: 'full', cases: 4, only: requirements } as const;
const withoutKey: object = { ...options, only: ['KEY-2'], apiKey: undefined };
/** Real time, without the control API. */
const inRealTime = {
  control: false,
  options: { ...options, maxWaitMs: 20_000, arrivalMs: 300, patienceMs: 3_000 },
};

/** Adds API keys of another user to the first tenant. */
function withKeys(count: number, username?: string) {
  return ({ world, tenants: [tenant] }: RootMock) => {
    const createdAt = Date.now() - 86_400_000;
    for (let made = 0; made < count; made++) {
      const id = ++world.counters.apiKey;
      const owner = { tenantId: tenant?.id ?? 0, ...(username !== undefined && { username }) };
      world.apiKeys.set(`of a colleague ${id}`, { id, name: 'old', createdAt, ...owner });
    }
  };
}

/** Limits the API keys per user, including existing ones. */
const mostOfUser = (most: number) =>
  replaceSteps((steps) => ({
    handle: (handler, call) => {
      const name = call.caller?.session?.username;
      const isOwn = ({ username }: { username?: string }) => username === name;
      if (call.operation.id === 'createKey' && [...call.world.apiKeys.values()].filter(isOwn).length >= most)
        throw new ApiError('key-quota', 'enough keys of this user');
      return steps.handle(handler, call);
    },
  }));

/** Numbers the keys of each user from 1; other users have some already. */
const countedPerUser = (mock: RootMock) => {
  const [, second] = mock.tenants[0]?.users ?? [];
  withKeys(1, 'somebody')(mock);
  withKeys(2, second?.username)(mock);
  const numbers = new Map<string, Map<unknown, number>>();
  const numberOf = (user: string, id: unknown) => {
    const ofUser = numbers.get(user) ?? new Map<unknown, number>();
    numbers.set(user, ofUser);
    if (!ofUser.has(id)) ofUser.set(id, ofUser.size + 1);
    return ofUser.get(id);
  };
  replaceSteps((steps) => ({
    handle: async (handler, call) => {
      const values = await steps.handle(handler, call);
      const user = String(call.caller?.session?.username);
      if (call.operation.id === 'createKey') return { ...values, id: numberOf(user, values.id) };
      if (call.operation.id !== 'listKeys') return values;
      const list = (values.list as { id: number }[]).map((key) => ({ ...key, id: numberOf(user, key.id) }));
      return { ...values, list };
    },
  }))(mock);
};

function sabotaged(sabotage: (mock: RootMock) => void, values: Record<string, unknown> = {}): MockRun {
  return { spoken: profileWith(values), sabotage, options };
}

export const keyRows: readonly VerdictRow[] = [
  row(
    'only sessions create and delete API keys, although the profile allows keys as well',
    { passes: ['KEY-1', 'KEY-2', 'KEY-3', 'KEY-4', 'AUTH-3'] },
    () => ({ variations: ['keys-by-session'], options: { tier: 'full' } }),
  ),
  row('another user has two of the five API keys, and the list shows them', { passes: requirements }, () =>
    sabotaged(withKeys(1)),
  ),
  row(
    'the list shows only the keys of the user, but the quota counts all keys of the tenant',
    { leavesOpen: ['KEY-2'], passes: ['KEY-1', 'KEY-3', 'KEY-4'] },
    () => sabotaged(withKeys(2, 'somebody'), { 'keys.list-scope': 'own' }),
  ),
  ...[3, 2].map<VerdictRow>((most) =>
    row(
      `each user may have ${most} API keys, and the tenant five`,
      { passes: ['KEY-1'], ...(most > 2 ? { verifies: ['KEY-2'] } : { leavesOpen: ['KEY-2'] }) },
      () => ({
        sabotage: mostOfUser(most),
        options: { tier: 'full', cases: 0, only: ['KEY-1', 'KEY-2'] },
      }),
    ),
  ),
  row(
    'the list shows only the keys of the user, and ids are counted per user',
    { leavesOpen: ['KEY-2'] },
    () => ({
      ...sabotaged(countedPerUser, { 'keys.list-scope': 'own', 'operation.delete-key': 'unknown' }),
      options: { ...options, only: ['KEY-1', 'KEY-2'] },
    }),
  ),
  row('room for three API keys, and no list', { leavesOpen: ['KEY-2'], passes: ['KEY-1', 'KEY-4'] }, () =>
    sabotaged(withKeys(1), { 'operation.list-keys': 'unknown' }),
  ),
  row('lists and quotas of API keys lag by 1.5 s', { passes: ['KEY-1', 'KEY-2', 'KEY-3', 'KEY-4'] }, () => ({
    variations: ['late-lists'],
    ...inRealTime,
  })),
  row('a new API key works after 0.7 s, and a deleted one for 1.5 s more', { passes: requirements }, () => ({
    variations: ['late-effects'],
    ...inRealTime,
  })),
  row('a deleted API key works for 45 s more', { passes: requirements, remarks: ['ended-later'] }, () => ({
    variations: ['cached-credentials'],
    options,
  })),
  broken('room for only four API keys, and lists show all keys of the tenant', 'fifth-key-refused', 'KEY-2', {
    options,
  }),
  broken('a sixth API key is created', 'sixth-key-created', 'KEY-2', inRealTime),
  broken('a sixth API key is created, and no other check uses the given one', 'sixth-key-created', 'KEY-2', {
    options: { ...options, only: ['KEY-2'] },
  }),
  broken('a sixth API key is created, and none is given', 'sixth-key-created', 'KEY-2', {
    options: withoutKey,
  }),
  broken('a sixth API key is created, and no list is stated', 'key-quota-of-first-user-alone', 'KEY-2', {
    spoken: profileWith({ 'operation.list-keys': 'unknown' }),
    options,
  }),
  broken(
    'simultaneous creations exceed the five API keys',
    'key-quota-exceeded-at-once',
    'KEY-2',
    inRealTime,
  ),
  broken('the list shows an API key in Base64', 'newest-key-listed-in-base64', 'KEY-3', { options }),
  row('every POST is replayed for ten seconds, and API keys have no name', { leavesOpen: ['KEY-2'] }, () => ({
    spoken: profileWith({
      'idempotency.scope': 'every-post',
      'idempotency.window': 10,
      'operation.create-key': { method: 'POST', path: '/tenant/keys', id: '/data/id', key: '/data/key' },
    }),
    options,
  })),
  row('every POST is replayed for ten seconds, also with API keys', { passes: requirements }, () => ({
    spoken: profileWith({ 'idempotency.scope': 'every-post', 'idempotency.window': 10 }),
    options,
  })),
  broken('a deleted API key works for two minutes more', 'deleted-key-works-for-two-minutes', 'KEY-4', {
    options,
  }),
];
