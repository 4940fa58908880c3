// The entrance sitepub/mock. What needs a newer Node than some have is loaded by the first call, after this has been looked at.
import './check-node.ts';
import type { KeptMock, KeptOptions, StartedMock, StartOptions } from '../start.ts';

export { MockError } from '../server/mock-options.ts';
export type { KeptMock, KeptOptions, StartedMock, StartOptions };

/** Throws MockError, ProfileError or WorldFileError if the mock can't be started with these options. */
export function startMock(options: KeptOptions): Promise<KeptMock>;
export function startMock(options?: StartOptions): Promise<StartedMock>;
export async function startMock(options?: StartOptions): Promise<StartedMock | KeptMock> {
  const { startMock: start } = await import('../start.ts');
  return start(options);
}
