// Writes whose repetition within a window returns the first result (sections 4 and 8 of the interface document).
import type { OperationId } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { AnyCall, SentRequest } from '../service.ts';
import { bounds, keepNewest } from '../world/bounds.ts';
import { digest } from '../world/digests.ts';
import type { FirstAnswer } from '../world/world.ts';

const repeatable: readonly OperationId[] = ['createSite', 'importSite', 'publishSite', 'failPublish'];

export function repetitionKeyOf(call: AnyCall, { url, headers, body }: SentRequest): string | undefined {
  const { operation, profile } = call;
  if (!isRepeatable(operation.id, profile)) return undefined;
  if (profile.values['idempotency.repetition'] === 'identical-request')
    return digest(JSON.stringify([ownerOf(call), operation.id, url, body]));
  const key = headers[profile.values['idempotency.key-header'].toLowerCase()];
  return key === undefined ? undefined : digest(JSON.stringify([ownerOf(call), operation.id, key]));
}

export function findFirstAnswer({ world, now }: AnyCall, key: string): FirstAnswer | undefined {
  const first = world.firstAnswers.get(key);
  return first && now < first.until ? first : undefined;
}

export function keepFirstAnswer(
  call: AnyCall,
  key: string,
  answer: Pick<FirstAnswer, 'values' | 'traceId'>,
): void {
  const { now, profile } = call;
  const { firstAnswers } = call.world;
  // All windows have the same length, so those that have ended come first.
  for (const [oldKey, { until }] of firstAnswers) {
    if (now < until) break;
    firstAnswers.delete(oldKey);
  }
  const until = now + profile.values['idempotency.window'] * 1000;
  // Copied, since the entry that the values come from may change.
  const values = { ...answer.values };
  firstAnswers.set(key, { ...answer, values, tenantId: ownerOf(call), until });
  keepNewest(firstAnswers, bounds.firstAnswers);
}

function isRepeatable(id: OperationId, profile: Profile): boolean {
  if (id === 'createSubscription') return profile.values['idempotency.subscriptions'] === 'repeated';
  return repeatable.includes(id);
}

/** The caller's tenant; 0 for an operation without authentication. */
function ownerOf({ caller }: AnyCall): number {
  return caller?.tenantId ?? 0;
}
