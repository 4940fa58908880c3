import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../openapi/json.ts';
import { ApiError, tooManyKeys } from '../http/api-errors.ts';
import { callingTenant } from '../operations/lookups.ts';
import type { AnyCall, Caller } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { ApiKey } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import { isByLaterUser } from './caller-tools.ts';
import { combineWraps, type Fault, type Wrap, withMemory } from './fault.ts';
import { goOnWith, type Result } from './results.ts';
import { changeAnswer, changeData, isAnswerTo, isSuccessOf } from './wrap-answers.ts';
import {
  admitCaller,
  changeCall,
  changeResult,
  type NextHandler,
  rejectCall,
  watchResult,
  wrapAuthentication,
  wrapHandler,
} from './wrap-calls.ts';

/** Faults in API keys. */
export const keyFaults: readonly Fault[] = [
  {
    id: 'key-prefix-in-capitals',
    title: 'API keys begin with SP_.',
    requirement: 'KEY-1',
    wrap: changeNewKey((key) => key.replace('sp_', 'SP_')),
  },
  {
    id: 'key-prefix-with-dash',
    title: 'API keys begin with sp-.',
    requirement: 'KEY-1',
    wrap: changeNewKey((key) => key.replace('sp_', 'sp-')),
  },
  {
    id: 'third-key-with-dash',
    title: "From a tenant's third API key on, keys begin with sp-.",
    requirement: 'KEY-1',
    wrap: changeNewKey((key, { length }) => (length < 3 ? key : key.replace('sp_', 'sp-'))),
  },
  {
    id: 'sixth-key-created',
    title: 'A tenant can have six API keys.',
    requirement: 'KEY-2',
    wrap: wrapHandler(['createKey'], (call, next) => {
      const { world } = call;
      const hidden = keysOf(call).length === 5 ? keysOf(call)[0] : undefined;
      if (!hidden) return next(call);
      world.apiKeys.delete(hidden[0]);
      try {
        return next(call);
      } finally {
        world.apiKeys.set(...hidden);
      }
    }),
  },
  {
    id: 'key-quota-exceeded-at-once',
    title: 'API keys that are created at once do not count towards the five of one another.',
    requirement: 'KEY-2',
    wrap: wrapHandler(['createKey'], async (call, next, change) => {
      const isFree = keysOf(call).length < 5;
      await sleep(60);
      return change(() => (isFree ? ignoreQuota(call, next) : next(call)));
    }),
  },
  {
    id: 'refused-key-ends-all',
    title: 'When a sixth API key is refused, none of those created so far works any more.',
    requirement: 'KEY-2',
    wrap: wrapHandler(['createKey'], (call, next) => {
      try {
        return next(call);
      } catch (error) {
        if (error instanceof ApiError)
          for (const entry of keysOf(call).slice(1)) renameKey(call.world, entry, `ended ${entry[0]}`);
        throw error;
      }
    }),
  },
  {
    id: 'fifth-key-refused',
    title: 'A tenant can have four API keys.',
    requirement: 'KEY-2',
    wrap: rejectNewKey(4, (call) => keysOf(call).length >= 4),
  },
  {
    id: 'no-key-while-another-tenant-has-five',
    title: 'As long as any tenant has five API keys, no other tenant can create one.',
    requirement: 'KEY-2',
    wrap: rejectNewKey(5, ({ world }) => {
      const owners = [...world.apiKeys.values()].map(({ tenantId }) => tenantId);
      return owners.some((id) => owners.filter((other) => other === id).length >= 5);
    }),
  },
  {
    id: 'refused-key-ends-newest',
    title: 'When a sixth API key is refused, the newest of the five stops working.',
    requirement: 'KEY-2',
    wrap: wrapHandler(['createKey'], (call, next) => {
      try {
        return next(call);
      } catch (error) {
        const newest = keysOf(call).at(-1);
        if (error instanceof ApiError && newest) renameKey(call.world, newest, 'ended');
        throw error;
      }
    }),
  },
  {
    id: 'key-quota-of-first-user-alone',
    title: 'The number of API keys is limited for the first user of a tenant only.',
    requirement: 'KEY-2',
    wrap: wrapHandler(['createKey'], (call, next) =>
      isByLaterUser(call.world, call.caller) ? ignoreQuota(call, next) : next(call),
    ),
  },
  {
    id: 'key-quota-grows-with-deletions',
    title: 'Each deletion of an API key makes room for two.',
    requirement: 'KEY-2',
    wrap: withMemory((memory, extra = memory.value('extra', 0)) =>
      wrapHandler(['createKey', 'deleteKey'], (call, next, change) => {
        const { length } = keysOf(call);
        if (call.operation.id === 'createKey')
          return length >= 5 && length < 5 + extra.get() ? ignoreQuota(call, next) : next(call);
        return goOnWith(next(call), change, (values) => {
          if (length >= 5) extra.set(extra.get() + 1);
          return values;
        });
      }),
    ),
  },
  {
    id: 'fifth-key-not-accepted',
    title: "A tenant's fifth API key is created, and not accepted.",
    requirement: 'KEY-2',
    wrap: watchResult(['createKey'], (_values, call) => {
      const keys = keysOf(call);
      const newest = keys.at(-1);
      if (newest && keys.length === 5) renameKey(call.world, newest, 'not there');
    }),
  },
  {
    id: 'key-quota-of-all-tenants',
    title: 'All tenants together can have five API keys.',
    requirement: 'KEY-2',
    wrap: rejectNewKey(5, ({ world }) => world.apiKeys.size >= 5),
  },
  {
    id: 'newest-key-listed-in-full',
    title: 'The list of API keys shows the newest one in full.',
    requirement: 'KEY-3',
    wrap: showNewestKey((key) => key),
  },
  {
    id: 'newest-key-listed-without-prefix',
    title: 'The list of API keys shows the secret part of the newest one.',
    requirement: 'KEY-3',
    wrap: showNewestKey((key) => key.slice('sp_'.length)),
  },
  {
    id: 'newest-key-listed-in-escapes',
    title: 'The list of API keys shows the newest one, its letters written as escapes.',
    requirement: 'KEY-3',
    wrap: combineWraps(
      showNewestKey((key) => key),
      changeAnswer(isAnswerTo('listKeys'), ({ answer }) => ({
        body: answer.body.replace(/sp_\w+/g, (key) => escapeAll(key)),
      })),
    ),
  },
  {
    id: 'newest-key-listed-in-halves',
    title: 'The list of API keys shows both halves of the newest one.',
    requirement: 'KEY-3',
    wrap: showNewestKey((key) => [key.slice(0, key.length / 2), key.slice(key.length / 2)]),
  },
  {
    id: 'newest-key-listed-in-base64',
    title: 'The list of API keys shows the newest one in Base64.',
    requirement: 'KEY-3',
    wrap: showNewestKey((key) => Buffer.from(`key:${key}`).toString('base64')),
  },
  {
    id: 'newest-key-in-header-of-list',
    title: 'The answer to the list of API keys has the newest one in a header.',
    requirement: 'KEY-3',
    wrap: rememberKeys((created) =>
      changeAnswer(isAnswerTo('listKeys'), ({ answer }) => ({
        headers: { ...answer.headers, 'x-newest-key': created.at(-1) ?? '' },
      })),
    ),
  },
  {
    id: 'keys-listed-in-full-for-later-users',
    title: 'The list of API keys shows them in full to all but the first user of the tenant.',
    requirement: 'KEY-3',
    wrap: rememberKeys((created) =>
      changeResult('listKeys', (values, call) => {
        if (!isByLaterUser(call.world, call.caller)) return values;
        const list = values.list as { id: unknown }[];
        return { ...values, list: list.map((item) => ({ ...item, name: created.keyOf(item.id) ?? '' })) };
      }),
    ),
  },
  {
    id: 'older-keys-listed-in-full',
    title: 'The list of API keys shows all but the newest one in full.',
    requirement: 'KEY-3',
    wrap: rememberKeys((created) =>
      changeResult('listKeys', (values) => {
        const list = values.list as { id: unknown }[];
        const items = list.map((item, index) =>
          index < list.length - 1 ? { ...item, name: created.keyOf(item.id) ?? '' } : item,
        );
        return { ...values, list: items };
      }),
    ),
  },
  {
    id: 'key-shown-when-deleted',
    title: 'The answer to the deletion of an API key shows it once more.',
    requirement: 'KEY-3',
    wrap: rememberKeys((created) =>
      changeData(isSuccessOf('deleteKey'), (_data, { exchange }) => ({
        deleted: created.keyOf(exchange.url.split('/').at(-1)),
      })),
    ),
  },
  {
    id: 'earlier-key-shown-at-creation',
    title: 'The answer to the creation of an API key shows the one before as well.',
    requirement: 'KEY-3',
    wrap: rememberKeys((created) =>
      changeData(isSuccessOf('createKey'), () => ({ previous: created.at(-2) })),
    ),
  },
  {
    id: 'deleted-key-works-for-two-minutes',
    title: 'A deleted API key works for two minutes more, as if it were cached.',
    requirement: 'KEY-4',
    wrap: rememberDeletedKeys((find) =>
      wrapAuthentication(({ header, now }, next) => {
        const deleted = find(header);
        return deleted && now < deleted.at + 120_000 ? deleted.caller : next();
      }),
    ),
  },
  {
    id: 'deleted-key-keeps-its-place',
    title: 'A deleted API key still counts as one of the five.',
    requirement: 'KEY-4',
    wrap: wrapHandler(['deleteKey'], (call, next) => {
      const before = keysOf(call);
      const values = next(call);
      const gone = before.find(([key]) => !call.world.apiKeys.has(key));
      if (gone) call.world.apiKeys.set(`deleted ${gone[0]}`, gone[1]);
      return values;
    }),
  },
  {
    id: 'deleted-key-works-on-test',
    title: 'A deleted API key can still test subscriptions.',
    requirement: 'KEY-4',
    wrap: rememberDeletedKeys((find) =>
      admitCaller(['testSubscription'], ({ header }) => find(header)?.caller),
    ),
  },
  {
    id: 'keys-of-all-tenants-listed',
    title: 'The list of API keys shows those of all tenants to the tenants that joined later.',
    requirement: 'AUTH-6',
    wrap: changeResult('listKeys', (values, call) => {
      if (callingTenant(call) === 1) return values;
      const list = [...call.world.apiKeys.values()].map(({ id, name }) => ({ id, name }));
      return { ...values, list, total: list.length };
    }),
  },
  {
    id: 'foreign-key-deleted',
    title: 'Every tenant can delete the API keys of every tenant.',
    requirement: 'AUTH-6',
    wrap: changeCall('deleteKey', (call) => {
      const owner = [...call.world.apiKeys.values()].find(
        ({ id }) => String(id) === String(call.input.keyID),
      );
      if (!call.caller || !owner) return call;
      return { ...call, caller: { ...call.caller, tenantId: owner.tenantId } };
    }),
  },
  {
    id: 'deleted-key-still-lists-sites',
    title: 'A deleted API key can still list the sites.',
    requirement: 'KEY-4',
    wrap: rememberDeletedKeys((find) => admitCaller(['listSites'], ({ header }) => find(header)?.caller)),
  },
  {
    id: 'deleted-key-still-creates-sites',
    title: 'A deleted API key can still create sites.',
    requirement: 'KEY-4',
    wrap: rememberDeletedKeys((find) => admitCaller(['createSite'], ({ header }) => find(header)?.caller)),
  },
  {
    id: 'deletion-ends-a-key-more',
    title: 'With an API key, the newest of those that are left stops working as well.',
    requirement: 'KEY-4',
    wrap: watchResult(['deleteKey'], (_values, call) => {
      const newest = keysOf(call).at(-1);
      if (newest && keysOf(call).length > 1) renameKey(call.world, newest, `ended ${newest[0]}`);
    }),
  },
];

/** The keys of the calling tenant, by their digests, in the order of their creation. */
function keysOf(call: AnyCall): [string, ApiKey][] {
  return [...call.world.apiKeys.of(callingTenant(call))];
}

/** Changes new keys, which are accepted in their changed form. */
function changeNewKey(change: (key: string, all: readonly [string, ApiKey][]) => string): Wrap {
  return changeResult('createKey', (values, call) => {
    const key = change(String(values.key), keysOf(call));
    const newest = keysOf(call).at(-1);
    if (newest) renameKey(call.world, newest, digest(key));
    return { ...values, key };
  });
}

function rejectNewKey(most: number, when: (call: AnyCall) => boolean): Wrap {
  return rejectCall('createKey', (call) => (when(call) ? tooManyKeys(most) : undefined));
}

/** Makes a call as if its tenant had no keys yet. */
function ignoreQuota(call: AnyCall, next: NextHandler): Result {
  const { apiKeys } = call.world;
  const hidden = keysOf(call);
  for (const [key] of hidden) apiKeys.delete(key);
  try {
    return next(call);
  } finally {
    const added = keysOf(call);
    for (const [key] of added) apiKeys.delete(key);
    for (const [key, apiKey] of [...hidden, ...added]) apiKeys.set(key, apiKey);
  }
}

function escapeAll(text: string): string {
  return [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

function renameKey({ apiKeys }: World, [digested, apiKey]: [string, ApiKey], name: string): void {
  apiKeys.delete(digested);
  apiKeys.set(name, apiKey);
}

interface CreatedKey {
  id: string;
  key: string;
}

/** A fault that remembers the keys that are created, and finds them by their place, or by their id. */
function rememberKeys(wrapOf: (created: CreatedKeys) => Wrap): Wrap {
  return withMemory((memory, created = memory.map<CreatedKey>('created')) =>
    combineWraps(
      watchResult(['createKey'], ({ id, key }) =>
        created.set(String(id), { id: String(id), key: String(key) }),
      ),
      wrapOf({
        at: (place) => created.entries().at(place)?.[1].key,
        keyOf: (id) => created.get(String(id))?.key,
      }),
    ),
  );
}

interface CreatedKeys {
  at(place: number): string | undefined;
  keyOf(id: unknown): string | undefined;
}

interface DeletedKey {
  caller: Caller;
  /** When it was deleted. */
  at: number;
}

/** A fault that remembers the keys that are deleted, and finds them by the Authorization header. */
function rememberDeletedKeys(
  wrapOf: (find: (header: string | undefined) => DeletedKey | undefined) => Wrap,
): Wrap {
  return withMemory((memory, deleted = memory.map<DeletedKey>('deleted')) =>
    combineWraps(
      wrapHandler(['deleteKey'], (call, next, change) => {
        const before = keysOf(call);
        return goOnWith(next(call), change, (values) => {
          for (const [key, { tenantId }] of before)
            if (!call.world.apiKeys.has(key)) deleted.set(key, { caller: { tenantId }, at: call.now });
          return values;
        });
      }),
      wrapOf((header = '') => deleted.get(digest(header.replace(/^Bearer +/i, '')))),
    ),
  );
}

/** Shows the newest key in the list of keys. */
function showNewestKey(show: (key: string) => unknown): Wrap {
  return rememberKeys((created) =>
    changeData(isSuccessOf('listKeys'), ({ list }) => {
      if (!Array.isArray(list)) return {};
      const key = show(created.at(-1) ?? '');
      return { list: list.map((item: Json, index) => (index === list.length - 1 ? { ...item, key } : item)) };
    }),
  );
}
