import { UsageError } from '../options/usage-error.ts';

/** The path of an inbox in the control API. Throws UsageError for a name that would lead out of the inboxes. */
export function inboxPath(name: string): string {
  if (name === '.' || name === '..')
    throw new UsageError(
      `an inbox can't be named "${name}"; give the name in the address that was subscribed`,
    );
  return `/inbox/${encodeURIComponent(name)}`;
}
