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
  'KEY-1 key-prefix-in-capitals: creates API keys that start with SP_': () =>
    changeNewKey((key) => key.replace('sp_', 'SP_')),
  'KEY-1 key-prefix-with-dash: creates API keys that start with sp-': () =>
    changeNewKey((key) => key.replace('sp_', 'sp-')),
  "KEY-1 third-key-with-dash: creates keys that start with sp- from a tenant's third key on": () =>
    changeNewKey((key, { length }) => (length < 3 ? key : key.replace('sp_', 'sp-'))),
  'KEY-2 sixth-key-created: creates a sixth API key for a tenant': () =>
    createBeyondQuota((call) => keysOf(call).length === 5),
  'KEY-2 key-quota-exceeded-at-once: creates more than five API keys if the calls are simultaneous': (
    _tools,
    free = new WeakSet<AnyCall>(),
  ) =>
    combineWraps(
      createBeyondQuota((call) => free.has(call)),
      delayCall('createKey', 60),
      watchCall('createKey', (call) => keysOf(call).length < 5 && free.add(call)),
    ),
  'KEY-2 refused-key-ends-all: disables all keys of a tenant when it rejects a sixth key': () =>
    endKeysOnRefusal((keys) => keys.slice(1)),
  "KEY-2 fifth-key-refused: rejects a tenant's fifth API key": () =>
    rejectNewKey(4, (call) => keysOf(call).length >= 4),
  'KEY-2 no-key-while-another-tenant-has-five: rejects all new keys while another tenant has five': () =>
    rejectNewKey(5, ({ world }) => [...world.tenants.keys()].some((id) => world.apiKeys.of(id).size >= 5)),
  'KEY-2 refused-key-ends-newest: disables the newest key of a tenant when it rejects a sixth key': () =>
    endKeysOnRefusal((keys) => keys.slice(-1)),
  'KEY-2 key-quota-of-first-user-alone: limits the number of API keys only for the first user': () =>
    createBeyondQuota(byLaterUser),
  'KEY-2 key-quota-grows-with-deletions: allows two new API keys after each deletion of a key': (
    { memory },
    room = memory.value('room', 5),
  ) =>
    combineWraps(
      createBeyondQuota((call) => keysOf(call).length < room.get()),
      watchResult('deleteKey', (_values, call) => {
        if (keysOf(call).length >= 4) room.set(room.get() + 1);
      }),
    ),
  "KEY-2 fifth-key-not-accepted: creates a tenant's fifth API key, but rejects calls with it": () =>
    watchResult('createKey', (_values, call) => endKeys(call, keysOf(call).slice(4, 5))),
  'KEY-2 key-quota-of-all-tenants: limits all tenants together to five API keys': () =>
    rejectNewKey(5, ({ world }) => world.apiKeys.size >= 5),
  'KEY-3 newest-key-listed-in-full: shows the newest API key in full in the list of keys': () =>
    showKeys(isNewest),
  'KEY-3 newest-key-listed-without-prefix: shows the secret part of the newest key in the list of keys': () =>
    showKeys(isNewest, (key) => key.slice('sp_'.length)),
  'KEY-3 newest-key-listed-in-escapes: shows the newest key with escaped letters in the list of keys': () =>
    combineWraps(
      showKeys(isNewest),
      changeAnswer(isAnswerTo('listKeys'), ({ answer: { body } }) => ({
        body: body.replace(/sp_\w+/g, escapeAll),
      })),
    ),
  'KEY-3 newest-key-listed-in-halves: shows both halves of the newest key in the list of keys': () =>
    showKeys(isNewest, (key) => [key.slice(0, key.length / 2), key.slice(key.length / 2)]),
  'KEY-3 newest-key-listed-in-base64: shows the newest key in Base64 in the list of keys': () =>
    showKeys(isNewest, (key) => Buffer.from(`key:${key}`).toString('base64')),
  'KEY-3 newest-key-in-header-of-list: sends the newest key in a header of the list of keys': () =>
    rememberKeys((created) =>
      changeAnswer(isAnswerTo('listKeys'), ({ answer }) => ({
        headers: { ...answer.headers, 'x-newest-key': created.newest() },
      })),
    ),
  'KEY-3 keys-listed-in-full-for-later-users: shows full keys in the list to all users except the first':
    () => showKeys((_place, call) => byLaterUser(call)),
  'KEY-3 older-keys-listed-in-full: shows all keys except the newest in full in the list of keys': () =>
    showKeys((place) => place < -1),
  'KEY-3 key-shown-when-deleted: shows an API key again when it deletes the key': () =>
    rememberKeys((created) =>
      changeMember(isSuccessOf('deleteKey'), 'data.deleted', (_none, { exchange }) =>
        created.get(String(exchange.url.split('/').at(-1))),
      ),
    ),
  'KEY-3 earlier-key-shown-at-creation: shows the previous API key when it creates a new one': () =>
    rememberKeys((created) =>
      changeMember(isSuccessOf('createKey'), 'data.previous', () => created.newest(-2)),
    ),
  'KEY-4 deleted-key-works-for-two-minutes: accepts a deleted API key for two minutes, like a cache': () =>
    takeDeletedKeys(120_000),
  'KEY-4 deleted-key-keeps-its-place: counts deleted API keys towards the limit of five': () =>
    wrapHandler('deleteKey', (call, next) => {
      const keys = keysOf(call);
      const values = next(call);
      const gone = keys.filter(([key]) => !call.world.apiKeys.has(key));
      endKeys(call, gone);
      return values;
    }),
  'KEY-4 deleted-key-works-on-test: accepts a deleted API key for testing subscriptions': () =>
    takeDeletedKeys(Number.POSITIVE_INFINITY, ['testSubscription']),
  'AUTH-6 keys-of-all-tenants-listed: shows the API keys of all tenants to newer tenants': () =>
    changeList('listKeys', (list, call) =>
      ofLaterTenant(call) ? [...call.world.apiKeys.values()].map(({ id, name }) => ({ id, name })) : list,
    ),
  'AUTH-6 foreign-key-deleted: deletes API keys of other tenants': () =>
    callAs('deleteKey', ({ world, input }) => {
      const keys = [...world.apiKeys.values()];
      return keys.find(({ id }) => String(id) === String(input.keyID))?.tenantId;
    }),
  'KEY-4 deleted-key-still-lists-sites: accepts a deleted API key for listing sites': () =>
    takeDeletedKeys(Number.POSITIVE_INFINITY, ['listSites']),
  'KEY-4 deleted-key-still-creates-sites: accepts a deleted API key for creating sites': () =>
    takeDeletedKeys(Number.POSITIVE_INFINITY, ['createSite']),
  'KEY-4 deletion-ends-a-key-more: disables the newest remaining API key when it deletes another one': () =>
    watchResult('deleteKey', (_values, call) => endKeys(call, keysOf(call).slice(1).slice(-1))),
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
