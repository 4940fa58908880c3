import { worldHasEnded } from '../http/not-kept.ts';
import { StoreError } from '../store/engine.ts';
import type { Store } from '../store/store.ts';
import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';

/** Does what changes the world, and returns its result; where a store keeps the world, when it has kept the change. Throws a ControlError if it can't: then nothing has happened before the first thing that was waited for. */
export async function changeKept<Result>(
  { store }: ControlContext['service'],
  change: () => Result | Promise<Result>,
  needs?: Parameters<Store['run']>[1],
): Promise<Result> {
  if (!store) return change();
  try {
    return await store.run(change, needs);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.reason === 'gone') throw new ControlError(404, worldHasEnded);
    throw new ControlError(503, `${error.message}; do it again when that is mended`);
  }
}
