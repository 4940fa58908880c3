import { ApiError } from '../../../mock/http/api-errors.ts';
import type { RootMock } from '../../../mock/server/create-mock.ts';
import { loadProfile, makeProfile, type Profile, statedValues } from '../../../openapi/profile.ts';
import type { MockRun } from '../run-against-mock.ts';
import { replaceSteps } from './limiters.ts';
import type { VerdictRow } from './verdict-row.ts';

const requirements = ['KEY-1', 'KEY-2', 'KEY-3', 'KEY-4', 'AUTH-3'];
const options = { tier: 'full', cases: 4, only: requirements } as const;
/** Real time, without the control API. */
const inRealTime = {
  control: false,
  options: { ...options, maxWaitMs: 20_000, arrivalMs: 300, patienceMs: 3_000 },
};

const usual = loadProfile('default');

function spoken(values: Record<string, unknown>): Profile {
  return makeProfile({ ...statedValues(usual), ...values }, { name: 'unlike', source: 'test' });
}

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
  return { spoken: spoken(values), sabotage, options };
}

export const keyRows: readonly VerdictRow[] = [
  {
    behaviour: 'only sessions create and delete API keys, although the profile allows keys as well',
    run: () => ({ variations: ['keys-by-session'], options: { tier: 'full' } }),
    passes: ['KEY-1', 'KEY-2', 'KEY-3', 'KEY-4', 'AUTH-3'],
  },
  {
    behaviour: 'another user has two of the five API keys, and the list shows them',
    run: () => sabotaged(withKeys(1)),
    passes: requirements,
  },
  {
    behaviour: 'the list shows only the keys of the user, but the quota counts those of the tenant',
    run: () => sabotaged(withKeys(2, 'somebody'), { 'keys.list-scope': 'own' }),
    leavesOpen: ['KEY-2'],
    passes: ['KEY-1', 'KEY-3', 'KEY-4'],
  },
  ...[3, 2].map<VerdictRow>((most) => ({
    behaviour: `each user may have ${most} API keys, and the tenant five`,
    run: () => ({
      sabotage: mostOfUser(most),
      options: { tier: 'full', cases: 0, only: ['KEY-1', 'KEY-2'] },
    }),
    passes: ['KEY-1'],
    ...(most > 2 ? { verifies: ['KEY-2'] } : { leavesOpen: ['KEY-2'] }),
  })),
  {
    behaviour: 'the list shows only the keys of the user, and ids are counted per user',
    run: () => ({
      ...sabotaged(countedPerUser, { 'keys.list-scope': 'own', 'operation.delete-key': 'unknown' }),
      options: { ...options, only: ['KEY-1', 'KEY-2'] },
    }),
    leavesOpen: ['KEY-2'],
  },
  {
    behaviour: 'a quota of three API keys, and no list',
    run: () => sabotaged(withKeys(1), { 'operation.list-keys': 'unknown' }),
    leavesOpen: ['KEY-2'],
    passes: ['KEY-1', 'KEY-4'],
  },
  {
    behaviour: 'lists and quotas of API keys lag by 1.5 s',
    run: () => ({ variations: ['late-lists'], ...inRealTime }),
    passes: ['KEY-1', 'KEY-2', 'KEY-3', 'KEY-4'],
  },
  {
    behaviour: 'a new API key works after 0.7 s, and a deleted one works for another 1.5 s',
    run: () => ({ variations: ['late-effects'], ...inRealTime }),
    passes: requirements,
  },
  {
    behaviour: 'a deleted API key works for another 45 s',
    run: () => ({ variations: ['cached-credentials'], options }),
    passes: requirements,
    remarks: ['ended-later'],
  },
  {
    behaviour: 'a quota of four API keys, and lists show all keys of the tenant',
    run: () => ({ faults: ['fifth-key-refused'], options }),
    fails: ['KEY-2'],
  },
  {
    behaviour: 'a sixth API key is created',
    run: () => ({ faults: ['sixth-key-created'], ...inRealTime }),
    fails: ['KEY-2'],
  },
  {
    behaviour: 'a sixth API key is created, and no other check uses the API key of the run',
    run: () => ({ faults: ['sixth-key-created'], options: { ...options, only: ['KEY-2'] } }),
    fails: ['KEY-2'],
  },
  {
    behaviour: 'a sixth API key is created, and the run has no API key',
    run: () => ({
      faults: ['sixth-key-created'],
      options: { ...options, only: ['KEY-2'], apiKey: undefined },
    }),
    fails: ['KEY-2'],
  },
  {
    behaviour: 'a sixth API key is created, and the profile states no list',
    run: () => ({
      faults: ['key-quota-of-first-user-alone'],
      spoken: spoken({ 'operation.list-keys': 'unknown' }),
      options,
    }),
    fails: ['KEY-2'],
  },
  {
    behaviour: 'simultaneous creations exceed the five API keys',
    run: () => ({ faults: ['key-quota-exceeded-at-once'], ...inRealTime }),
    fails: ['KEY-2'],
  },
  {
    behaviour: 'the list shows an API key in Base64',
    run: () => ({ faults: ['newest-key-listed-in-base64'], options }),
    fails: ['KEY-3'],
  },
  {
    behaviour: 'every POST is replayed for ten seconds, and API keys have no name',
    run: () => ({
      spoken: spoken({
        'idempotency.scope': 'every-post',
        'idempotency.window': 10,
        'operation.create-key': { method: 'POST', path: '/tenant/keys', id: '/data/id', key: '/data/key' },
      }),
      options,
    }),
    leavesOpen: ['KEY-2'],
  },
  {
    behaviour: 'every POST is replayed for ten seconds, also with API keys',
    run: () => ({
      spoken: spoken({ 'idempotency.scope': 'every-post', 'idempotency.window': 10 }),
      options,
    }),
    passes: requirements,
  },
  {
    behaviour: 'a deleted API key works for another two minutes',
    run: () => ({ faults: ['deleted-key-works-for-two-minutes'], options }),
    fails: ['KEY-4'],
  },
];
