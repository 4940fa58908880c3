import type { Json } from '../../openapi/json.ts';
import { ApiError, tooManyKeys } from '../http/api-errors.ts';
import { callingTenant } from '../operations/lookups.ts';
import type { AnyCall, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { ApiKey, World } from '../world/world.ts';
import { isByLaterUser } from './caller-tools.ts';
import type { Fault } from './fault.ts';
import { changeEnvelope, dataOf, isSuccess, isTo } from './wrap-answers.ts';
import { admitCaller, wrapHandler } from './wrap-calls.ts';

/** Of API keys. */
export const keyFaults: readonly Fault[] = [
  {
    id: 'key-prefix-in-capitals',
    title: 'API keys begin with SP_.',
    requirement: 'KEY-1',
    wrap: reshaping((key) => key.replace('sp_', 'SP_')),
  },
  {
    id: 'key-prefix-with-dash',
    title: 'API keys begin with sp-.',
    requirement: 'KEY-1',
    wrap: reshaping((key) => key.replace('sp_', 'sp-')),
  },
  {
    id: 'third-key-with-dash',
    title: "From a tenant's third API key on, keys begin with sp-.",
    requirement: 'KEY-1',
    wrap: reshaping((key, { length }) => (length < 3 ? key : key.replace('sp_', 'sp-'))),
  },
  {
    id: 'sixth-key-created',
    title: 'A tenant can have six API keys.',
    requirement: 'KEY-2',
    wrap: wrapHandler(['createKey'], (call, own) => {
      const { world } = call;
      const hidden = keysOf(call).length === 5 ? keysOf(call)[0] : undefined;
      if (!hidden) return own(call);
      world.apiKeys.delete(hidden[0]);
      try {
        return own(call);
      } finally {
        world.apiKeys.set(...hidden);
      }
    }),
  },
  {
    id: 'fifth-key-refused',
    title: 'A tenant can have four API keys.',
    requirement: 'KEY-2',
    wrap: wrapHandler(['createKey'], (call, own) => {
      if (keysOf(call).length >= 4) throw tooManyKeys(4);
      return own(call);
    }),
  },
  {
    id: 'no-key-while-another-tenant-has-five',
    title: 'As long as any tenant has five API keys, no other one can create one.',
    requirement: 'KEY-2',
    wrap: wrapHandler(['createKey'], (call, own) => {
      const owners = [...call.world.apiKeys.values()].map(({ tenantId }) => tenantId);
      if (owners.some((id) => owners.filter((other) => other === id).length >= 5)) throw tooManyKeys(5);
      return own(call);
    }),
  },
  {
    id: 'refused-key-ends-newest',
    title: 'When a sixth API key is refused, the newest of the five stops working.',
    requirement: 'KEY-2',
    wrap: wrapHandler(['createKey'], (call, own) => {
      try {
        return own(call);
      } catch (error) {
        const newest = keysOf(call).at(-1);
        if (error instanceof ApiError && newest) rename(call.world, newest, 'ended');
        throw error;
      }
    }),
  },
  {
    id: 'key-quota-of-first-user-alone',
    title: 'The number of API keys is bounded for the first user of a tenant alone.',
    requirement: 'KEY-2',
    wrap: wrapHandler(['createKey'], (call, own) =>
      isByLaterUser(call.world, call.caller) ? beyondQuota(call, own) : own(call),
    ),
  },
  {
    id: 'key-quota-grows-with-deletions',
    title: 'Each deletion of an API key makes room for two.',
    requirement: 'KEY-2',
    wrap: (steps, aids) => {
      let extra = 0;
      return wrapHandler(['createKey', 'deleteKey'], async (call, own) => {
        if (call.operation.id === 'createKey') {
          const isOver = keysOf(call).length >= 5 && keysOf(call).length < 5 + extra;
          return isOver ? beyondQuota(call, own) : own(call);
        }
        const isFull = keysOf(call).length >= 5;
        const values = await own(call);
        if (isFull) extra++;
        return values;
      })(steps, aids);
    },
  },
  {
    id: 'fifth-key-not-accepted',
    title: "A tenant's fifth API key is created, and not accepted.",
    requirement: 'KEY-2',
    wrap: wrapHandler(['createKey'], async (call, own) => {
      const values = await own(call);
      const keys = keysOf(call);
      const newest = keys.at(-1);
      if (newest && keys.length === 5) rename(call.world, newest, 'not there');
      return values;
    }),
  },
  {
    id: 'key-quota-of-all-tenants',
    title: 'All tenants together can have five API keys.',
    requirement: 'KEY-2',
    wrap: wrapHandler(['createKey'], (call, own) => {
      if (call.world.apiKeys.size >= 5) throw tooManyKeys(5);
      return own(call);
    }),
  },
  {
    id: 'newest-key-listed-in-full',
    title: 'The list of API keys shows the newest one in full.',
    requirement: 'KEY-3',
    wrap: listingKeys((key) => key),
  },
  {
    id: 'newest-key-listed-without-prefix',
    title: 'The list of API keys shows the secret part of the newest one.',
    requirement: 'KEY-3',
    wrap: listingKeys((key) => key.slice('sp_'.length)),
  },
  {
    id: 'newest-key-listed-in-escapes',
    title: 'The list of API keys shows the newest one, its letters written as escapes.',
    requirement: 'KEY-3',
    wrap: (steps, aids) => {
      const showing = listingKeys((key) => key)(steps, aids);
      return {
        ...showing,
        answer(service, exchange, own) {
          const answer = showing.answer?.(service, exchange, own) ?? own;
          const body = answer.body.replace(/sp_\w+/g, (key) => escapeAll(key));
          return exchange.operation === 'listKeys' ? { ...answer, body } : answer;
        },
      };
    },
  },
  {
    id: 'newest-key-listed-in-halves',
    title: 'The list of API keys shows both halves of the newest one.',
    requirement: 'KEY-3',
    wrap: listingKeys((key) => [key.slice(0, key.length / 2), key.slice(key.length / 2)]),
  },
  {
    id: 'older-keys-listed-in-full',
    title: 'The list of API keys shows all but the newest one in full.',
    requirement: 'KEY-3',
    wrap: (steps, aids) => {
      const made = new Map<unknown, unknown>();
      const remembering = wrapHandler(['createKey'], async (call, own) => {
        const values = await own(call);
        made.set(values.id, values.key);
        return values;
      });
      const showing = wrapHandler(['listKeys'], async (call, own) => {
        const values = await own(call);
        const list = values.list as { id: unknown }[];
        const items = list.map((item, index) =>
          index < list.length - 1 ? { ...item, name: made.get(item.id) ?? '' } : item,
        );
        return { ...values, list: items };
      });
      const own = { ...steps, ...remembering(steps, aids) };
      return { ...own, ...showing(own, aids) };
    },
  },
  {
    id: 'key-shown-when-deleted',
    title: 'The answer to the deletion of an API key shows it once more.',
    requirement: 'KEY-3',
    wrap: (steps, aids) => {
      const made = new Map<string, unknown>();
      const remembering = wrapHandler(['createKey'], async (call, own) => {
        const values = await own(call);
        made.set(String(values.id), values.key);
        return values;
      });
      const showing = changeEnvelope(
        (leaving) => isTo('deleteKey')(leaving) && isSuccess(leaving),
        (envelope, { exchange }) => ({
          ...envelope,
          data: { ...dataOf(envelope), deleted: made.get(exchange.url.split('/').at(-1) ?? '') },
        }),
      );
      return { ...remembering(steps, aids), ...showing(steps, aids) };
    },
  },
  {
    id: 'earlier-key-shown-at-creation',
    title: 'The answer to the creation of an API key shows the one before as well.',
    requirement: 'KEY-3',
    wrap: (steps, aids) => {
      const made: unknown[] = [];
      const remembering = wrapHandler(['createKey'], async (call, own) => {
        const values = await own(call);
        made.push(values.key);
        return values;
      });
      const showing = changeEnvelope(
        (leaving) => isTo('createKey')(leaving) && isSuccess(leaving),
        (envelope) => ({ ...envelope, data: { ...dataOf(envelope), previous: made.at(-2) } }),
      );
      return { ...remembering(steps, aids), ...showing(steps, aids) };
    },
  },
  {
    id: 'deleted-key-works-for-a-minute',
    title: 'A deleted API key works for a minute more, as if it were cached.',
    requirement: 'KEY-4',
    wrap: (steps, aids) => {
      const deleted = new Map<string, ApiKey & { until: number }>();
      return {
        ...wrapHandler(['deleteKey'], (call, own) => {
          const before = keysOf(call);
          const values = own(call);
          for (const [key, apiKey] of before)
            if (!call.world.apiKeys.has(key)) deleted.set(key, { ...apiKey, until: call.now + 60_000 });
          return values;
        })(steps, aids),
        authenticate(service, operation, request) {
          const kept = deleted.get(digest(request.header?.replace(/^Bearer +/i, '') ?? ''));
          if (kept && request.now < kept.until) return { tenantId: kept.tenantId };
          return steps.authenticate(service, operation, request);
        },
      };
    },
  },
  {
    id: 'deleted-key-keeps-its-place',
    title: 'A deleted API key still counts as one of the five.',
    requirement: 'KEY-4',
    wrap: wrapHandler(['deleteKey'], (call, own) => {
      const before = keysOf(call);
      const values = own(call);
      const gone = before.find(([key]) => !call.world.apiKeys.has(key));
      if (gone) call.world.apiKeys.set(`deleted ${gone[0]}`, gone[1]);
      return values;
    }),
  },
  {
    id: 'deleted-key-works-on-test',
    title: 'A deleted API key can still test subscriptions.',
    requirement: 'KEY-4',
    wrap: (steps, aids) => {
      const deleted = new Map<string, ApiKey>();
      return {
        ...wrapHandler(['deleteKey'], async (call, own) => {
          const before = keysOf(call);
          const values = await own(call);
          for (const [key, apiKey] of before) if (!call.world.apiKeys.has(key)) deleted.set(key, apiKey);
          return values;
        })(steps, aids),
        ...admitCaller(['testSubscription'], ({ header = '' }) => {
          const kept = deleted.get(digest(header.replace(/^Bearer +/i, '')));
          return kept && { tenantId: kept.tenantId };
        })(steps, aids),
      };
    },
  },
  {
    id: 'deletion-ends-a-key-more',
    title: 'With an API key, the newest of those that are left stops working as well.',
    requirement: 'KEY-4',
    wrap: wrapHandler(['deleteKey'], async (call, own) => {
      const values = await own(call);
      const newest = keysOf(call).at(-1);
      if (newest && keysOf(call).length > 1) rename(call.world, newest, `ended ${newest[0]}`);
      return values;
    }),
  },
];

/** The keys of the tenant that calls, by their digests, in the order of their creation. */
function keysOf(call: AnyCall): [string, ApiKey][] {
  const tenantId = callingTenant(call);
  return [...call.world.apiKeys].filter(([, apiKey]) => apiKey.tenantId === tenantId);
}

/** Gives out keys of another form, which work. */
function reshaping(change: (key: string, all: readonly [string, ApiKey][]) => string): Fault['wrap'] {
  return wrapHandler(['createKey'], async (call, own) => {
    const values = await own(call);
    const key = change(String(values.key), keysOf(call));
    const newest = keysOf(call).at(-1);
    if (newest) rename(call.world, newest, digest(key));
    return { ...values, key };
  });
}

/** Makes a call as if its tenant had no keys yet. */
async function beyondQuota(call: AnyCall, own: (call: AnyCall) => unknown): Promise<Values> {
  const { apiKeys } = call.world;
  const hidden = keysOf(call);
  for (const [key] of hidden) apiKeys.delete(key);
  try {
    return (await own(call)) as Values;
  } finally {
    const added = keysOf(call);
    for (const [key] of added) apiKeys.delete(key);
    for (const [key, apiKey] of [...hidden, ...added]) apiKeys.set(key, apiKey);
  }
}

function escapeAll(text: string): string {
  return [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

function rename({ apiKeys }: World, [digested, apiKey]: [string, ApiKey], name: string): void {
  apiKeys.delete(digested);
  apiKeys.set(name, apiKey);
}

function listingKeys(show: (key: string) => unknown): Fault['wrap'] {
  return (steps, aids) => {
    let newest = '';
    const remembering = wrapHandler(['createKey'], async (call, own) => {
      const values = await own(call);
      newest = String(values.key);
      return values;
    });
    const showing = changeEnvelope(
      (leaving) => isTo('listKeys')(leaving) && isSuccess(leaving),
      (envelope) => ({ ...envelope, data: { ...dataOf(envelope), list: shown(envelope, show(newest)) } }),
    );
    return { ...remembering(steps, aids), ...showing(steps, aids) };
  };
}

function shown(envelope: Json, key: unknown): unknown {
  const { list } = dataOf(envelope);
  return Array.isArray(list)
    ? list.map((item: Json, index) => (index === list.length - 1 ? { ...item, key } : item))
    : list;
}
