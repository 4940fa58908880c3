import type { Json } from '../../openapi/registers.ts';
import type { AnyCall } from '../operations/call.ts';
import { callingTenant } from '../operations/lookups.ts';
import { ApiError, tooManyKeys } from '../problems.ts';
import { digest } from '../secrets.ts';
import type { ApiKey, World } from '../world.ts';
import type { Fault } from './fault.ts';
import { changingEnvelopes, dataOf, isSuccess, isTo } from './wrap-answers.ts';
import { handling } from './wrap-calls.ts';

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
    id: 'sixth-key-created',
    title: 'A tenant can have six API keys.',
    requirement: 'KEY-2',
    wrap: handling(['createKey'], (call, own) => {
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
    wrap: handling(['createKey'], (call, own) => {
      if (keysOf(call).length >= 4) throw tooManyKeys(4);
      return own(call);
    }),
  },
  {
    id: 'refused-key-ends-newest',
    title: 'When a sixth API key is refused, the newest of the five stops working.',
    requirement: 'KEY-2',
    wrap: handling(['createKey'], (call, own) => {
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
    id: 'deleted-key-works-for-a-minute',
    title: 'A deleted API key works for a minute more, as if it were cached.',
    requirement: 'KEY-4',
    wrap: (parts, aids) => {
      const deleted = new Map<string, ApiKey & { until: number }>();
      return {
        ...handling(['deleteKey'], (call, own) => {
          const before = keysOf(call);
          const values = own(call);
          for (const [key, apiKey] of before)
            if (!call.world.apiKeys.has(key)) deleted.set(key, { ...apiKey, until: call.now + 60_000 });
          return values;
        })(parts, aids),
        authenticate(service, operation, request) {
          const kept = deleted.get(digest(request.header?.replace(/^Bearer +/i, '') ?? ''));
          if (kept && request.now < kept.until) return { tenantId: kept.tenantId };
          return parts.authenticate(service, operation, request);
        },
      };
    },
  },
  {
    id: 'deleted-key-keeps-its-place',
    title: 'A deleted API key still counts as one of the five.',
    requirement: 'KEY-4',
    wrap: handling(['deleteKey'], (call, own) => {
      const before = keysOf(call);
      const values = own(call);
      const gone = before.find(([key]) => !call.world.apiKeys.has(key));
      if (gone) call.world.apiKeys.set(`deleted ${gone[0]}`, gone[1]);
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
function reshaping(change: (key: string) => string): Fault['wrap'] {
  return handling(['createKey'], async (call, own) => {
    const values = await own(call);
    const key = change(String(values.key));
    const newest = keysOf(call).at(-1);
    if (newest) rename(call.world, newest, digest(key));
    return { ...values, key };
  });
}

function rename({ apiKeys }: World, [digested, apiKey]: [string, ApiKey], name: string): void {
  apiKeys.delete(digested);
  apiKeys.set(name, apiKey);
}

function listingKeys(show: (key: string) => string): Fault['wrap'] {
  return (parts, aids) => {
    let newest = '';
    const remembering = handling(['createKey'], async (call, own) => {
      const values = await own(call);
      newest = String(values.key);
      return values;
    });
    const showing = changingEnvelopes(
      (leaving) => isTo('listKeys')(leaving) && isSuccess(leaving),
      (envelope) => ({ ...envelope, data: { ...dataOf(envelope), list: shown(envelope, show(newest)) } }),
    );
    return { ...remembering(parts, aids), ...showing(parts, aids) };
  };
}

function shown(envelope: Json, key: string): unknown {
  const { list } = dataOf(envelope);
  return Array.isArray(list)
    ? list.map((item: Json, index) => (index === list.length - 1 ? { ...item, key } : item))
    : list;
}
