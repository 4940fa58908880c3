// Deletes what a discovery created, with the names that it has found.
import { cleanUp } from '../calls/delete-created.ts';
import { useRenewedToken } from '../calls/user-session.ts';
import { createContext } from '../context.ts';
import { Unreachable } from '../core/outcomes.ts';
import type { Probe } from './probe.ts';

/** As they were learnt: one that was refused may be accepted once what is on a site is deleted. */
function learntDeletions({ options }: Probe): Record<string, unknown> {
  const learnt = options.learning?.operations.filter((one) => one.isCertain || one.waitsForCall) ?? [];
  const deletions = learnt.filter(({ gap }) => gap.id.startsWith('operation.delete-'));
  return Object.fromEntries(deletions.map(({ gap, value }) => [gap.id, value]));
}

/** What can't be deleted stays listed among the leftovers; that is no reason to fail. */
export async function cleanUpDiscovery(probe: Probe): Promise<void> {
  const { options, clock, findings, ending } = probe;
  const { resources } = probe.created;
  const { token } = probe.session;
  const { baseUrl, account, apiKey, siteId, maxWaitMs, receiver, connection, requestTimeoutMs } = options;
  const mayBeThere = [...resources.remaining(), ...resources.doubtful()];
  if (mayBeThere.length === 0 || token === undefined) return resources.close();
  const context = createContext(
    {
      baseUrl,
      profile: { name: 'discover', stated: { ...learntDeletions(probe), ...findings.values() } },
      ...(account && { account }),
      ...(apiKey && { apiKey }),
      ...(siteId !== undefined && { siteId }),
      ...(connection && { connection }),
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
      tier: 'safe',
      only: [],
      skip: [],
      maxWaitMs,
      receiver,
    },
    { clock, ending },
  );
  context.resources = resources;
  context.runId = probe.runId;
  useRenewedToken(context, token);
  try {
    await cleanUp(context, { keepsDoubtful: true });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
  }
}
