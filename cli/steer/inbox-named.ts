import { UsageError } from '../options/usage-error.ts';

/** What stands for an inbox in a path of the control API. Throws UsageError for a name that would lead out of the inboxes. */
export function inboxNamed(name: string): { name: string } {
  if (name === '.' || name === '..')
    throw new UsageError(
      `an inbox can't be named "${name}"; give the name in the address that was subscribed`,
    );
  return { name };
}
