import { tooManyKeys, unknownResource } from '../http/api-errors.ts';
import type { Call, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { ApiKey } from '../world/entries.ts';
import { drawText } from '../world/random.ts';
import { isoTime } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { callingTenant, type Id, readId } from './lookups.ts';
import { answerList, listedAt, type Page } from './pages.ts';

/** Section 8 of the interface document. */
const mostKeys = 5;

/** Only this answer shows the key; the world stores its digest. */
export function createKey(call: Call<{ name?: string }>): Values {
  const { world, input, now } = call;
  const tenantId = callingTenant(call);
  if (countedKeys(world, tenantId, listedAt(call)).length >= mostKeys) throw tooManyKeys(mostKeys);
  const key = `sp_${drawText(world, 32)}`;
  const username = callingUser(call);
  const apiKey: ApiKey = {
    id: ++world.counters.apiKey,
    tenantId,
    ...(username !== undefined && { username }),
    name: input.name ?? '',
    createdAt: now,
  };
  world.apiKeys.set(digest(key), apiKey);
  return { ...showKey(apiKey), key };
}

export function listKeys(call: Call<Page>): Values {
  const showsAll = call.profile.values['keys.list-scope'] === 'tenant';
  const at = listedAt(call);
  const shown = countedKeys(call.world, callingTenant(call), at).filter(
    ([, { username, createdAt }]) => createdAt <= at && (showsAll || username === callingUser(call)),
  );
  return answerList(call, shown, ([, apiKey]) => showKey(apiKey));
}

export function deleteKey(call: Call<{ keyID: Id }>): Values {
  const { world, input, now } = call;
  const wanted = String(readId(call, input.keyID));
  const found = countedKeys(world, callingTenant(call), now).find(([, { id }]) => String(id) === wanted);
  if (!found) throw unknownResource('API key', input.keyID);
  const { listLagMs = 0, deletedKeyMs = 0 } = call.settings.habits;
  const [key] = found;
  if (listLagMs + deletedKeyMs > 0) world.apiKeys.edit(key).deletedAt = now;
  else world.apiKeys.delete(key);
  return {};
}

/** An API key acts for the user that created it. */
function callingUser({ caller }: Call<unknown>): string | undefined {
  return caller?.session?.username ?? caller?.apiKey?.username;
}

function countedKeys({ apiKeys }: World, tenantId: number, at: number): [string, ApiKey][] {
  return [...apiKeys.of(tenantId)].filter(([, { deletedAt = Number.POSITIVE_INFINITY }]) => deletedAt > at);
}

function showKey({ id, name, createdAt }: ApiKey): Values {
  return { id, name, created_at: isoTime(createdAt) };
}
