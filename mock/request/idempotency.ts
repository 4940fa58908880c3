// Sections 4 and 8 of the interface document: a write that is repeated within a window returns the first result.
import type { Operation, OperationId } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import { callInProgress } from '../http/api-errors.ts';
import type { AnyCall, Mock, RequestSteps } from '../service.ts';
import { digest } from '../world/digests.ts';
import { publishMs } from '../world/publications.ts';
import type { World } from '../world/world.ts';

const namedWrites: readonly OperationId[] = ['createSite', 'importSite', 'publishSite', 'failPublish'];

export const repetitionKeyOf: RequestSteps['repetitionKeyOf'] = (call, { url, headers, body }) => {
  const { operation, profile, caller } = call;
  if (!isRepeatable(operation, profile)) return undefined;
  // Equal requests with different credentials, such as two refreshes, are different calls.
  const owner = isNamedWrite(operation.id)
    ? ownerOf(call)
    : [ownerOf(call), caller?.session?.key ?? caller?.apiKey?.id];
  if (profile.values['idempotency.repetition'] === 'identical-request')
    return digest(JSON.stringify([owner, operation.id, url, body]));
  const key = headers[profile.values['idempotency.key-header'].toLowerCase()];
  return key === undefined ? undefined : digest(JSON.stringify([owner, operation.id, key]));
};

export const findFirstAnswer: RequestSteps['findFirstAnswer'] = ({ world, now }, key) => {
  const first = world.firstAnswers.get(key);
  return first && now < first.until ? first : undefined;
};

export const storeFirstAnswer: RequestSteps['storeFirstAnswer'] = (call, key, answer) => {
  const { now, profile } = call;
  const { firstAnswers } = call.world;
  // All windows have the same length, so expired entries come first.
  for (const [oldKey, { until }] of firstAnswers) {
    if (now < until) break;
    firstAnswers.delete(oldKey);
  }
  const until = now + profile.values['idempotency.window'] * 1000;
  // Copied, since the entry that the values come from may change.
  const values = { ...answer.values };
  firstAnswers.set(key, { ...answer, values, tenantId: ownerOf(call), until });
};

export function isNamedWrite(id: OperationId): boolean {
  return namedWrites.includes(id);
}

export function isRepeatable({ id, method }: Operation, { values }: Profile): boolean {
  if (id === 'createSubscription') return values['idempotency.subscriptions'] === 'repeated';
  return isNamedWrite(id) || (values['idempotency.scope'] === 'every-post' && method === 'POST');
}

function ownerOf({ caller }: AnyCall): number {
  return caller?.tenantId ?? 0;
}

/** If repeats of a call in progress are refused, a call takes at least this long, so that a repeat can arrive in time. */
const leastMs = 100;

/** Returns a function that begins a call and returns how many milliseconds to delay its answer; undefined if the operation takes no time. */
export function workOf({ callsInProgress, profile, settings }: Mock, { id }: Operation) {
  const isPublish = id === 'publishSite' || id === 'failPublish';
  const isSlowPublish = isPublish && profile.values['publish.mode'] === 'synchronous';
  const creationMs = isNamedWrite(id) && !isPublish ? (settings.habits.creationMs ?? 0) : 0;
  const repeatableMs = refusesMeanwhile(profile) ? leastMs : 0;
  if (!isSlowPublish && creationMs + repeatableMs === 0) return undefined;
  return (world: World, key: string | undefined): number => {
    const ms = Math.max(
      key === undefined ? 0 : repeatableMs,
      isSlowPublish ? publishMs(profile, world) : 0,
      creationMs,
    );
    if (ms > 0 && key !== undefined) callsInProgress.set(key, performance.now() + ms);
    return ms;
  };
}

function refusesMeanwhile({ values }: Profile): boolean {
  return values['idempotency.in-progress'] === 'refused';
}

export const joinWork: RequestSteps['joinWork'] = ({ callsInProgress, profile }, _call, key) => {
  const end = callsInProgress.get(key) ?? 0;
  const left = typeof end === 'number' ? Math.max(0, end - performance.now()) : end;
  if (left !== 0 && refusesMeanwhile(profile)) throw callInProgress();
  return left;
};
