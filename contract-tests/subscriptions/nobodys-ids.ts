// Identifiers that nothing has. None is certain: whoever has numbers at random may have given one out, so there is always a second one.
import { randomUUID } from 'node:crypto';
import { listSites } from '../calls/sites.ts';
import { type Context, once } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { isSameId } from '../core/parse-json.ts';

/** Numbers that hardly any site or subscription has. */
export const unassignedId = 2_147_483_646;
const otherUnassignedIds = [2_093_847_561, 2_061_537_948] as const;

/** Identifiers of sites that nobody should have, none of them in the tenant's list. */
export async function nobodysSites(context: Context): Promise<unknown[]> {
  const known = (await once(context, listSites)).map(({ id }) => id);
  const isKnown = (id: unknown) =>
    [...known, context.siteId, context.options.other?.siteId].some((one) => isSameId(one, id));
  return [unassignedId, ...otherUnassignedIds].filter((id) => !isKnown(id)).slice(0, 2);
}

/** Identifiers of the same form as one of a subscription. */
export function nobodysIdsLike(id: unknown): unknown[] {
  return [unassignedIdLike(id), isNumber(id) ? otherUnassignedIds[0] : unassignedIdLike(id)];
}

/** An unassigned identifier of the same form. */
export function unassignedIdLike(id: unknown): unknown {
  if (isNumber(id)) return unassignedId;
  if (/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(String(id))) return randomUUID();
  return `${String(id).slice(0, -8)}${randomUUID().slice(0, 8)}`;
}

/** Sends a call about an identifier that nothing should have; where it is accepted, about the next one. Returns the last one. */
export async function askForNobody(
  ids: readonly unknown[],
  send: (id: unknown) => Promise<Exchange>,
): Promise<{ id: unknown; exchange: Exchange }> {
  const [id, ...others] = ids;
  const exchange = await send(id);
  return succeeded(exchange) && others.length > 0 ? askForNobody(others, send) : { id, exchange };
}

function isNumber(id: unknown): boolean {
  return /^\d+$/.test(String(id));
}
