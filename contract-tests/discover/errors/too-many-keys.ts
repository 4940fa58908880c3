// Exceeds the quota of API keys, where keys can be deleted.
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { createOwn, mayCall } from '../ask/create.ts';
import { callOperation, hasSucceeded, isGiven, isOwn } from '../ask/operations.ts';
import { isSameError, noteRefusal } from '../ask/refusals.ts';
import { type Probe, reportProgress } from '../probe.ts';

const maxKeys = 6;

/** Creates keys until one is refused, and deletes them again. */
export async function exceedKeyQuota(probe: Probe): Promise<void> {
  if (!mayCall(probe, 'createKey') || !isGiven(probe, 'deleteKey')) return;
  reportProgress(probe, 'exceeding the quota of keys');
  const ids: unknown[] = [];
  try {
    await createTooManyKeys(probe, ids);
  } finally {
    for (const id of ids) {
      if (!(await isOwn(probe, { what: 'API key', id, site: undefined, tenant: 'main' }))) continue;
      if (hasSucceeded(await callOperation(probe, 'deleteKey', { keyID: id })))
        probe.created.resources.markDeleted('API key', id);
    }
  }
}

/** Notes how one too many is refused, twice alike. Adds the identifiers of those that were created to `ids`. */
async function createTooManyKeys(probe: Probe, ids: unknown[]): Promise<void> {
  let refusal: Exchange | undefined;
  while (ids.length < maxKeys) {
    const name = `sitepub-${probe.runId}-${ids.length}`;
    const { exchange, values } = await createOwn(probe, 'createKey', { name });
    if (succeeded(exchange)) {
      ids.push(values.id);
      refusal = undefined;
      continue;
    }
    // A tenant that can create no key at all is refused for something else.
    if (ids.length === 0) return;
    if (refusal && isSameError(exchange, refusal)) return noteRefusal(probe, 'key-quota', exchange);
    if (refusal) return;
    refusal = exchange;
  }
}
