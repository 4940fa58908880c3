// Takes away what a run created, the newest first, where the profile says how.
import type { OperationId } from '../../openapi/operations.ts';
import type { Context } from '../context.ts';
import { NotVerified, Unreachable } from '../core/outcomes.ts';
import type { Resource, ResourceKind } from '../deployment/created-resources.ts';
import { call } from './call.ts';
import { otherSession, sessionToken } from './user-session.ts';

/** How a resource is deleted; what is missing here can't be. */
const deletionOf: Partial<
  Record<ResourceKind, { operation: OperationId; values(resource: Resource): object }>
> = {
  subscription: {
    operation: 'deleteSubscription',
    values: ({ id, site }) => ({ siteID: site, subscriptionID: id }),
  },
  site: { operation: 'deleteSite', values: ({ id }) => ({ siteID: id }) },
  content: { operation: 'deleteContent', values: ({ id, site }) => ({ siteID: site, contentID: id }) },
  'API key': { operation: 'deleteKey', values: ({ id }) => ({ keyID: id }) },
};

const goneStatuses: readonly (number | undefined)[] = [404, 410];

/**
 * Deletes what is left of the run's resources. What can't be deleted stays listed, and is no reason to fail. `mayBeGone`:
 * the run that made it was cut short, perhaps while it was deleting, so that what is not found is struck out.
 */
export async function cleanUp(context: Context, { mayBeGone = false } = {}): Promise<void> {
  // What is still on its way may create something.
  await Promise.allSettled(context.inFlight);
  context.isCleaningUp = true;
  for (const resource of context.resources.remaining().toReversed()) {
    try {
      const status = await remove(context, resource);
      if (mayBeGone && goneStatuses.includes(status)) context.resources.strike(resource);
    } catch (error) {
      if (error instanceof Unreachable) break;
      if (!(error instanceof NotVerified)) throw error;
    }
  }
  context.resources.close();
}

/** The HTTP status of the deletion, where there is a way to delete it. */
export async function remove(context: Context, resource: Resource): Promise<number | undefined> {
  const deletion = deletionOf[resource.what];
  if (!deletion || resource.id === undefined || !context.operations.has(deletion.operation)) return undefined;
  const values = { ...deletion.values(resource) };
  const token = await tokenFor(context, resource);
  const { response } = await call(context, deletion.operation, { values, token });
  return response.status;
}

/** A session of the tenant that a resource was created for. */
export async function tokenFor(context: Context, { tenant }: Resource): Promise<string> {
  return tenant === 'other' ? (await otherSession(context)).token : sessionToken(context);
}
