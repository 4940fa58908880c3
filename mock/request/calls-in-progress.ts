// Calls whose answers are held back while they are worked on, and repetitions that come meanwhile.
import { callInProgress } from '../http/api-errors.ts';
import type { AnyCall, Mock } from '../service.ts';
import { publishMs } from '../world/publish-time.ts';
import { isNamedWrite } from './idempotency.ts';

/** A service that refuses repetitions of a call in progress takes long enough for one to come. */
const leastMs = 100;

/** For how long the answer to a new call is held back; until then its repetitions find it in progress. */
export function startWork(
  { callsInProgress, settings }: Mock,
  call: AnyCall,
  key: string | undefined,
): number {
  const { operation, profile, world } = call;
  const { habits } = settings;
  const isPublish = operation.id === 'publishSite' || operation.id === 'failPublish';
  const publishes = isPublish && profile.values['publish.mode'] === 'synchronous';
  const creates = isNamedWrite(operation.id) && !isPublish;
  const refuses = key !== undefined && profile.values['idempotency.in-progress'] === 'refused';
  const ms = Math.max(
    refuses ? leastMs : 0,
    publishes ? publishMs(profile, world) : 0,
    creates ? (habits.creationMs ?? 0) : 0,
  );
  if (ms > 0 && key !== undefined) callsInProgress.set(key, performance.now() + ms);
  return ms;
}

/** For how long a repetition waits for the first call's end, or the error by which it is refused. */
export function joinWork({ callsInProgress, profile }: Mock, key: string): number {
  const left = (callsInProgress.get(key) ?? 0) - performance.now();
  if (left <= 0) return 0;
  if (profile.values['idempotency.in-progress'] === 'refused') throw callInProgress();
  return left;
}
