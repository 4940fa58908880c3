// Deletes what a run created, the newest first, where the profile says how.
import type { Context } from '../context.ts';
import { NotVerified, Unreachable } from '../core/outcomes.ts';
import { deletionOf, type Resource } from '../deployment/created-resources.ts';
import { call } from './call.ts';
import { otherSession, sessionToken } from './user-session.ts';

const goneStatuses: readonly (number | undefined)[] = [404, 410];

/**
 * Deletes what is left of the run's resources. What can't be deleted stays listed, and is no reason to fail. `mayBeGone`: an
 * interrupted run may have deleted some already, so what is not found counts as deleted.
 */
export async function cleanUp(context: Context, { mayBeGone = false } = {}): Promise<void> {
  // A pending request may create something.
  await Promise.allSettled(context.inFlight);
  context.isCleaningUp = true;
  for (const resource of context.resources.remaining().toReversed()) {
    try {
      const status = await deleteResource(context, resource);
      if (mayBeGone && goneStatuses.includes(status)) context.resources.markMissing(resource);
    } catch (error) {
      if (error instanceof Unreachable) break;
      if (!(error instanceof NotVerified)) throw error;
    }
  }
  context.resources.close();
}

/** Deletes a resource, and returns the HTTP status; undefined where that is not possible. */
export async function deleteResource(context: Context, resource: Resource): Promise<number | undefined> {
  const { what, id, site } = resource;
  const deletion = deletionOf(what);
  if (!deletion || id === undefined || !context.operations.has(deletion.operation)) return undefined;
  const token = await tokenFor(context, resource);
  const values = { siteID: site, [deletion.id]: id };
  const { response } = await call(context, deletion.operation, { values, token });
  return response.status;
}

/** A session token of the tenant that owns a resource. */
export async function tokenFor(context: Context, { tenant }: Resource): Promise<string> {
  return tenant === 'other' ? (await otherSession(context)).token : sessionToken(context);
}
