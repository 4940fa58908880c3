import type { OperationId } from '../../openapi/operations.ts';
import { tooManyKeys } from '../http/api-errors.ts';
import { callingTenant } from '../operations/lookups.ts';
import type { AnyCall, Mock } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { ApiKey } from '../world/entries.ts';
import { byLaterUser, ofLaterTenant } from './callers.ts';
import { changeAnswer, changeMember, isAnswerTo, isSuccessOf } from './envelope-faults.ts';
import { around, combineWraps, faultsOf, type Wrap, withMemory } from './fault.ts';
import {
  type CallTest,
  callAs,
  changeCall,
  changeList,
  changeResult,
  delayCall,
  recoverFrom,
  rejectCall,
  watchCall,
  watchResult,
  wrapHandler,
} from './wrap-calls.ts';

export const keyFaults = faultsOf({
  'KEY-1 key-prefix-in-capitals: API keys start with SP_.': () =>
    changeNewKey((key) => key.replace('sp_', 'SP_')),
  'KEY-1 key-prefix-with-dash: API keys start with sp-.': () =>
    changeNewKey((key) => key.replace('sp_', 'sp-')),
  "KEY-1 third-key-with-dash: From a tenant's third API key on, keys begin with sp-.": () =>
    changeNewKey((key, { length }) => (length < 3 ? key : key.replace('sp_', 'sp-'))),
  'KEY-2 sixth-key-created: A tenant can have six API keys.': () =>
    createBeyondQuota((call) => keysOf(call).length === 5),
  'KEY-2 key-quota-exceeded-at-once: API keys that are created simultaneously do not count towards the quota of each other.':
    (_tools, free = new WeakSet<AnyCall>()) =>
      combineWraps(
        createBeyondQuota((call) => free.has(call)),
        delayCall('createKey', 60),
        watchCall('createKey', (call) => keysOf(call).length < 5 && free.add(call)),
      ),
  'KEY-2 refused-key-ends-all: When a sixth API key is rejected, all existing keys stop working.': () =>
    endKeysOnRefusal((keys) => keys.slice(1)),
  'KEY-2 fifth-key-refused: A tenant can have only four API keys.': () =>
    rejectNewKey(4, (call) => keysOf(call).length >= 4),
  'KEY-2 no-key-while-another-tenant-has-five: While any tenant has five API keys, no other tenant can create one.':
    () =>
      rejectNewKey(5, ({ world }) => [...world.tenants.keys()].some((id) => world.apiKeys.of(id).size >= 5)),
  'KEY-2 refused-key-ends-newest: When a sixth API key is rejected, the newest of the five stops working.':
    () => endKeysOnRefusal((keys) => keys.slice(-1)),
  'KEY-2 key-quota-of-first-user-alone: The number of API keys is limited only for the first user of a tenant.':
    () => createBeyondQuota(byLaterUser),
  'KEY-2 key-quota-grows-with-deletions: Each deletion of an API key makes room for two.': (
    { memory },
    room = memory.value('room', 5),
  ) =>
    combineWraps(
      createBeyondQuota((call) => keysOf(call).length < room.get()),
      watchResult('deleteKey', (_values, call) => {
        if (keysOf(call).length >= 4) room.set(room.get() + 1);
      }),
    ),
  "KEY-2 fifth-key-not-accepted: A tenant's fifth API key is created, and not accepted.": () =>
    watchResult('createKey', (_values, call) => endKeys(call, keysOf(call).slice(4, 5))),
  'KEY-2 key-quota-of-all-tenants: All tenants together can have only five API keys.': () =>
    rejectNewKey(5, ({ world }) => world.apiKeys.size >= 5),
  'KEY-3 newest-key-listed-in-full: The list of API keys shows the newest one in full.': () =>
    showKeys(isNewest),
  'KEY-3 newest-key-listed-without-prefix: The list of API keys shows the secret part of the newest one.':
    () => showKeys(isNewest, (key) => key.slice('sp_'.length)),
  'KEY-3 newest-key-listed-in-escapes: The list of API keys shows the newest one with its letters escaped.':
    () =>
      combineWraps(
        showKeys(isNewest),
        changeAnswer(isAnswerTo('listKeys'), ({ answer: { body } }) => ({
          body: body.replace(/sp_\w+/g, escapeAll),
        })),
      ),
  'KEY-3 newest-key-listed-in-halves: The list of API keys shows both halves of the newest one.': () =>
    showKeys(isNewest, (key) => [key.slice(0, key.length / 2), key.slice(key.length / 2)]),
  'KEY-3 newest-key-listed-in-base64: The list of API keys shows the newest one in Base64.': () =>
    showKeys(isNewest, (key) => Buffer.from(`key:${key}`).toString('base64')),
  'KEY-3 newest-key-in-header-of-list: The answer to the list of API keys contains the newest one in a header.':
    () =>
      rememberKeys((created) =>
        changeAnswer(isAnswerTo('listKeys'), ({ answer }) => ({
          headers: { ...answer.headers, 'x-newest-key': created.newest() },
        })),
      ),
  'KEY-3 keys-listed-in-full-for-later-users: The list of API keys shows full keys to all users but the first.':
    () => showKeys((_place, call) => byLaterUser(call)),
  'KEY-3 older-keys-listed-in-full: The list of API keys shows all but the newest one in full.': () =>
    showKeys((place) => place < -1),
  'KEY-3 key-shown-when-deleted: The answer to the deletion of an API key shows the key again.': () =>
    rememberKeys((created) =>
      changeMember(isSuccessOf('deleteKey'), 'data.deleted', (_none, { exchange }) =>
        created.get(String(exchange.url.split('/').at(-1))),
      ),
    ),
  'KEY-3 earlier-key-shown-at-creation: The answer to the creation of an API key also shows the previous key.':
    () =>
      rememberKeys((created) =>
        changeMember(isSuccessOf('createKey'), 'data.previous', () => created.newest(-2)),
      ),
  'KEY-4 deleted-key-works-for-two-minutes: A deleted API key still works for two minutes, as if it were cached.':
    () => takeDeletedKeys(120_000),
  'KEY-4 deleted-key-keeps-its-place: A deleted API key still counts as one of the five.': () =>
    wrapHandler('deleteKey', (call, next) => {
      const keys = keysOf(call);
      const values = next(call);
      const gone = keys.filter(([key]) => !call.world.apiKeys.has(key));
      endKeys(call, gone);
      return values;
    }),
  'KEY-4 deleted-key-works-on-test: A deleted API key can still test subscriptions.': () =>
    takeDeletedKeys(Number.POSITIVE_INFINITY, ['testSubscription']),
  'AUTH-6 keys-of-all-tenants-listed: The list of API keys shows newer tenants the keys of all tenants.':
    () =>
      changeList('listKeys', (list, call) =>
        ofLaterTenant(call) ? [...call.world.apiKeys.values()].map(({ id, name }) => ({ id, name })) : list,
      ),
  'AUTH-6 foreign-key-deleted: Every tenant can delete the API keys of other tenants.': () =>
    callAs('deleteKey', ({ world, input }) => {
      const keys = [...world.apiKeys.values()];
      return keys.find(({ id }) => String(id) === String(input.keyID))?.tenantId;
    }),
  'KEY-4 deleted-key-still-lists-sites: A deleted API key can still list the sites.': () =>
    takeDeletedKeys(Number.POSITIVE_INFINITY, ['listSites']),
  'KEY-4 deleted-key-still-creates-sites: A deleted API key can still create sites.': () =>
    takeDeletedKeys(Number.POSITIVE_INFINITY, ['createSite']),
  'KEY-4 deletion-ends-a-key-more: Deleting an API key also stops the newest remaining key from working.':
    () => watchResult('deleteKey', (_values, call) => endKeys(call, keysOf(call).slice(1).slice(-1))),
});

type Key = [digest: string, apiKey: ApiKey];

/** The keys of the calling tenant, oldest first. */
function keysOf(call: AnyCall): Key[] {
  return [...call.world.apiKeys.of(callingTenant(call))];
}

/** Changes new keys; the service then accepts only the changed form. */
function changeNewKey(change: (key: string, all: readonly Key[]) => string): Wrap {
  return changeResult('createKey', (values, call) => {
    const key = change(String(values.key), keysOf(call));
    replaceKeys(call, keysOf(call).slice(-1), ([, apiKey]) => [digest(key), apiKey]);
    return { ...values, key };
  });
}

function rejectNewKey(most: number, when: CallTest): Wrap {
  return rejectCall('createKey', when, () => tooManyKeys(most));
}

/** No tenant has this id. */
const nobody = 0;

/** Creates the key for `nobody`, who is below the quota, and then hands it to the caller's tenant. */
function createBeyondQuota(when: CallTest): Wrap {
  return combineWraps(
    callAs('createKey', (call) => (when(call) ? nobody : undefined)),
    watchResult('createKey', (_values, call) =>
      replaceKeys(call, [...call.world.apiKeys.of(nobody)], ([digested, apiKey]) => [
        digested,
        { ...apiKey, tenantId: callingTenant(call) },
      ]),
    ),
  );
}

/** Moves keys to a digest that no token has: they no longer work, but count towards the quota. */
function endKeys(call: AnyCall, keys: readonly Key[]): void {
  replaceKeys(call, keys, ([digested, apiKey]) => [`ended ${digested}`, apiKey]);
}

function replaceKeys({ world: { apiKeys } }: AnyCall, keys: readonly Key[], change: (key: Key) => Key): void {
  for (const key of keys) {
    apiKeys.delete(key[0]);
    apiKeys.set(...change(key));
  }
}

function endKeysOnRefusal(choose: (keys: readonly Key[]) => readonly Key[]): Wrap {
  return recoverFrom('createKey', (error, call) => {
    endKeys(call, choose(keysOf(call)));
    throw error;
  });
}

function rememberKeys(
  wrapOf: (created: { get(id: string): string | undefined; newest(place?: number): string }) => Wrap,
): Wrap {
  return withMemory((memory, created = memory.map<string>('created')) =>
    combineWraps(
      watchResult('createKey', ({ id, key }) => created.set(String(id), String(key))),
      wrapOf({ ...created, newest: (place = -1) => created.entries().at(place)?.[1] ?? '' }),
    ),
  );
}

/** `place` counts from the end of the list, where -1 is the last key. */
const isNewest = (place: number) => place === -1;

/** Lists each chosen key in the member `name`. */
function showKeys(
  when: (place: number, call: AnyCall) => boolean,
  show: (key: string) => unknown = (key) => key,
): Wrap {
  return rememberKeys((created) =>
    changeList('listKeys', (list, call) =>
      list.map((item, index) =>
        when(index - list.length, call) ? { ...item, name: show(created.get(String(item.id)) ?? '') } : item,
      ),
    ),
  );
}

/** Accepts deleted keys for `ms` milliseconds, in all operations unless `ids` are given. */
function takeDeletedKeys(ms: number, ids?: readonly OperationId[]): Wrap {
  const withHabit = <Context extends Pick<Mock, 'settings'>>(context: Context): Context => {
    const habits = { ...context.settings.habits, deletedKeyMs: ms };
    return { ...context, settings: { ...context.settings, habits } };
  };
  return combineWraps(
    changeCall('deleteKey', withHabit),
    around('authenticate', (next, mock, operation, request) =>
      next(ids?.includes(operation.id) === false ? mock : withHabit(mock), operation, request),
    ),
  );
}

function escapeAll(text: string): string {
  return [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}
