// Writes whose repetition within a window returns the first result (sections 4 and 8 of the interface document).
import type { Operation, OperationId } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import { callInProgress } from '../http/api-errors.ts';
import type { AnyCall, Mock, SentRequest, Settings } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { FirstAnswer } from '../world/entries.ts';
import { publishMs } from '../world/publications.ts';

const namedWrites: readonly OperationId[] = ['createSite', 'importSite', 'publishSite', 'failPublish'];

export function repetitionKeyOf(call: AnyCall, { url, headers, body }: SentRequest): string | undefined {
  const { operation, profile } = call;
  if (!isRepeatable(operation, profile)) return undefined;
  const owner = isNamedWrite(operation.id) ? ownerOf(call) : [ownerOf(call), credentialOf(call)];
  if (profile.values['idempotency.repetition'] === 'identical-request')
    return digest(JSON.stringify([owner, operation.id, url, body]));
  const key = headers[profile.values['idempotency.key-header'].toLowerCase()];
  return key === undefined ? undefined : digest(JSON.stringify([owner, operation.id, key]));
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
}

/** Whether the document names the operation as one whose repetition returns the first result. */
export function isNamedWrite(id: OperationId): boolean {
  return namedWrites.includes(id);
}

export function isRepeatable({ id, method }: Operation, { values }: Profile): boolean {
  if (id === 'createSubscription') return values['idempotency.subscriptions'] === 'repeated';
  return isNamedWrite(id) || (values['idempotency.scope'] === 'every-post' && method === 'POST');
}

/** What the request was sent with: the same refresh with another token is another request. */
function credentialOf({ caller }: AnyCall): string | number | undefined {
  return caller?.session?.key ?? caller?.apiKey?.id;
}

/** The caller's tenant; 0 for an operation without authentication. */
function ownerOf({ caller }: AnyCall): number {
  return caller?.tenantId ?? 0;
}

/** A service that refuses repetitions of a call in progress takes long enough for one to come. */
const leastMs = 100;

/** For how long the answer to a new call is held back; until then its repetitions find it in progress. */
export function startWork(
  { callsInProgress, settings }: Mock,
  call: AnyCall,
  key: string | undefined,
): number {
  const { operation, profile, world } = call;
  const ms = Math.max(
    key !== undefined && refusesMeanwhile(profile) ? leastMs : 0,
    publishesAtOnce(operation, profile) ? publishMs(profile, world) : 0,
    creationMs(operation, settings),
  );
  if (ms > 0 && key !== undefined) callsInProgress.set(key, performance.now() + ms);
  return ms;
}

/** Whether some answers to an operation are held back so. */
export function takesTime({ profile, settings }: Mock, operation: Operation): boolean {
  return (
    refusesMeanwhile(profile) || publishesAtOnce(operation, profile) || creationMs(operation, settings) > 0
  );
}

function refusesMeanwhile({ values }: Profile): boolean {
  return values['idempotency.in-progress'] === 'refused';
}

function publishesAtOnce({ id }: Operation, { values }: Profile): boolean {
  return isPublish(id) && values['publish.mode'] === 'synchronous';
}

function creationMs({ id }: Operation, { habits }: Settings): number {
  return isNamedWrite(id) && !isPublish(id) ? (habits.creationMs ?? 0) : 0;
}

function isPublish(id: OperationId): boolean {
  return id === 'publishSite' || id === 'failPublish';
}

/** For how long a repetition waits for the first call's end, or the error by which it is refused. */
export function joinWork({ callsInProgress, profile }: Mock, key: string): number {
  const left = (callsInProgress.get(key) ?? 0) - performance.now();
  if (left <= 0) return 0;
  if (refusesMeanwhile(profile)) throw callInProgress();
  return left;
}
