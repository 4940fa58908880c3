import { tooManyKeys, unknownResource } from '../http/api-errors.ts';
import type { Call, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import { drawText } from '../world/random.ts';
import { isoTime } from '../world/time.ts';
import type { ApiKey, World } from '../world/world.ts';
import type { Inputs } from './inputs.ts';
import { callingTenant } from './lookups.ts';
import { answerList } from './pages.ts';

/** Section 8. */
const mostKeys = 5;

/** The only answer that shows the key; the world holds its digest. */
export function createKey(call: Call<Inputs['createKey']>): Values {
  const { world, input, now } = call;
  const tenantId = callingTenant(call);
  if (keysOf(world, tenantId).length >= mostKeys) throw tooManyKeys(mostKeys);
  const key = `sp_${drawText(world, 32)}`;
  const apiKey: ApiKey = { id: ++world.counters.apiKey, tenantId, name: input.name ?? '', createdAt: now };
  world.apiKeys.set(digest(key), apiKey);
  return { ...showKey(apiKey), key };
}

export function listKeys(call: Call<Inputs['listKeys']>): Values {
  return answerList(call, keysOf(call.world, callingTenant(call)), ([, apiKey]) => showKey(apiKey));
}

export function deleteKey(call: Call<Inputs['deleteKey']>): Values {
  const { world, input } = call;
  const found = keysOf(world, callingTenant(call)).find(([, { id }]) => String(id) === String(input.keyID));
  if (!found) throw unknownResource('API key', input.keyID);
  world.apiKeys.delete(found[0]);
  return {};
}

function keysOf({ apiKeys }: World, tenantId: number): [string, ApiKey][] {
  return [...apiKeys].filter(([, apiKey]) => apiKey.tenantId === tenantId);
}

function showKey({ id, name, createdAt }: ApiKey): Values {
  return { id, name, created_at: isoTime(createdAt) };
}
