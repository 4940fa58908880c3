import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';

/** Does what changes the world, and returns its result once a store, if there is one, has kept the change. Throws a ControlError if it can't. */
export async function changeKept<Result>(
  { store }: ControlContext['service'],
  change: () => Result | Promise<Result>,
): Promise<Result> {
  if (!store) return change();
  // What can't be kept now is not even begun.
  if (store.status().problem !== undefined)
    await store.kept().catch(refuse('it has not been done', 'do it again when that is mended'));
  const result = await change();
  await store
    .kept()
    .catch(
      refuse('it is done, but not kept', 'it is kept when that is mended, and lost if the mock ends before'),
    );
  return result;
}

function refuse(what: string, advice: string): (error: unknown) => never {
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ControlError(503, `${what}: ${reason}; ${advice}`);
  };
}
