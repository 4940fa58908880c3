import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, messageOf, type StoreError } from './engine.ts';
import type { Problem } from './turn-loop.ts';

const longestMs = 2000;

/** Why nothing can be persisted now; undefined: the engine answers, and has room. */
export async function checkEngine(
  engine: Engine,
  end: StoreError | undefined,
  problem: () => Problem | undefined,
): Promise<string | undefined> {
  if (end) return end.message;
  const late = sleep(longestMs, `store ${engine.place}: no answer within 2 s`, { ref: false });
  const lackOfRoom = () => (problem()?.reason === 'full' ? problem()?.message : undefined);
  return Promise.race([engine.check().then(lackOfRoom), late]).catch(messageOf);
}
