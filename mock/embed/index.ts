// The entry point sitepub/mock. All else needs a newer Node, so it is imported on the first call, after check-node.ts.
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
