// Predicts what a run leaves behind, from recorded runs against the mock.
import { readFileSync } from 'node:fs';
import { operationGap } from '../../openapi/operations.ts';
import type { Check } from '../check.ts';
import type { Context } from '../context.ts';
import { type Creations, createdBy } from '../core/costs.ts';
import { creations, deletionOf, type ResourceKind } from '../deployment/created-resources.ts';
import { subscribeTargets } from '../events/retry-run.ts';
import { mostLeftBehind, staysBehind } from '../subscriptions/left-behind.ts';

/** The most resources of a kind that a run creates, and whether the run can delete them. */
export interface PlannedCreation {
  what: ResourceKind;
  count: number;
  isDeleted: boolean;
}

/** A run that leaves more than this of one kind behind needs --leave-behind. */
export const leftoverLimit = 12;

/** What the checks create on a deployment that breaks no promise, with all credentials. */
export function plannedCreations(context: Context, made: readonly Check[]): PlannedCreation[] {
  const { operations, options } = context;
  const { deleted, safe, full } = readCreations();
  const staying = options.tier === 'full' ? full : safe;
  const ids = made.map(({ id }) => id);
  // The run lets pushes fail only if it has time for a retry.
  const without = made.some(({ needs }) => needs.includes('retried-push')) ? [] : [subscribeTargets.name];
  const isStaying = staysBehind(context);
  const counts = new Map<ResourceKind, number>();
  for (const [id, count] of createdBy(isStaying ? staying : deleted, ids, without)) {
    const what = operations.has(id) ? creations[id]?.what : undefined;
    if (what) counts.set(what, (counts.get(what) ?? 0) + count);
  }
  const subscriptions = counts.get('subscription') ?? 0;
  const most = isStaying ? mostLeftBehind[options.tier] : Number.POSITIVE_INFINITY;
  if (subscriptions > most) counts.set('subscription', most);
  return [...counts].map(([what, count]) => ({ what, count, isDeleted: isDeletable(context, what) }));
}

/** Whether the run needs --leave-behind. A published version replaces the previous one, so these do not count. */
export function needsLeaveBehind(planned: readonly PlannedCreation[]): boolean {
  return staying(planned).some(({ what, count }) => what !== 'published version' && count > leftoverLimit);
}

/** The leftovers, such as "10 subscriptions and 3 published versions"; undefined if there are none. */
export function sayStaying(planned: readonly PlannedCreation[]): string | undefined {
  const parts = staying(planned).map(({ what, count }) => `${count} ${nounOf(what, count)}`);
  const last = parts.pop();
  return parts.length > 0 ? `${parts.join(', ')} and ${last}` : last;
}

/** The gaps that would state how to delete leftovers. */
export function missingDeletions(planned: readonly PlannedCreation[]): string[] {
  return staying(planned).flatMap(({ what }) => {
    const id = deletionOf(what)?.operation;
    return id ? operationGap(id) : [];
  });
}

export function nounOf(what: ResourceKind, count: number): string {
  if (what === 'content') return count === 1 ? 'content item' : 'content items';
  return count === 1 ? what : `${what}s`;
}

function staying(planned: readonly PlannedCreation[]): PlannedCreation[] {
  return planned.filter(({ isDeleted, count }) => !isDeleted && count > 0);
}

function isDeletable({ operations }: Context, what: ResourceKind): boolean {
  const deletion = deletionOf(what);
  return deletion !== undefined && operations.has(deletion.operation);
}

function readCreations(): Record<'deleted' | 'safe' | 'full', Creations> {
  return JSON.parse(readFileSync(new URL('../generated/creations.json', import.meta.url), 'utf8'));
}
