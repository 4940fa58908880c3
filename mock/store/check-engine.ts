import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine, StoreError } from './engine.ts';

const longestMs = 2000;

/** Why nothing can be persisted now; undefined: the engine answers. */
export async function checkEngine(engine: Engine, end: StoreError | undefined): Promise<string | undefined> {
  if (end) return end.message;
  const late = sleep(longestMs, `store ${engine.place}: no answer within 2 s`, { ref: false });
  try {
    return await Promise.race([engine.check().then(() => undefined), late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
