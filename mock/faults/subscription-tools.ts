// What the faults of subscriptions have in common.
import { chatChannels } from '../../openapi/event-names.ts';
import type { OperationId } from '../../openapi/operations.ts';
import { ApiError } from '../http/api-errors.ts';
import type { AnyCall, Values } from '../service.ts';
import { isByKey } from './caller-tools.ts';
import { combineWraps, type Wrap, withMemory } from './fault.ts';
import { recoverFrom } from './results.ts';
import { acceptInvalid, rejectValid, watchResult, wrapHandler } from './wrap-calls.ts';

/** Creates subscriptions that should be rejected, with other input; rejects them where `correct` returns undefined. */
export function acceptCreation(correct: (input: Values) => Values | undefined): Wrap {
  return acceptInvalid('createSubscription', ({ input }) => correct(input));
}

/** Rejects subscriptions that should be created. */
export function rejectCreation(expected: string, when: (input: Values) => boolean): Wrap {
  return rejectValid('createSubscription', expected, ({ input }) => when(input));
}

/** Answers calls that are rejected as successes, although nothing was done. */
export function hideRejection(
  id: OperationId,
  kind: ApiError['kind'],
  when: (call: AnyCall) => boolean = () => true,
): Wrap {
  return wrapHandler([id], (call, next, change) =>
    recoverFrom(
      () => next(call),
      change,
      (error) => {
        if (error instanceof ApiError && error.kind === kind && when(call)) return {};
        throw error;
      },
    ),
  );
}

export function eventsOf({ events }: Values): readonly unknown[] {
  return Array.isArray(events) ? events : [];
}

export function isChat({ channel }: Values): boolean {
  return chatChannels.some((name) => name === channel);
}

/** The first site of the calling tenant. */
export function firstSiteOf({ world, caller }: AnyCall): number | undefined {
  return [...world.sites.values()].find(({ tenantId }) => tenantId === caller?.tenantId)?.id;
}

export function isOnFirstSite(call: AnyCall): boolean {
  return String(call.input.siteID) === String(firstSiteOf(call));
}

/** A fault that distinguishes the subscriptions that were created with an API key, by their ids. */
export function trackSubscriptionsByKey(wrapOf: (isByKey: (id: unknown) => boolean) => Wrap): Wrap {
  return withMemory((memory, created = memory.set('by-key')) =>
    combineWraps(
      watchResult(['createSubscription'], ({ id }, call) => isByKey(call) && created.add(String(id))),
      wrapOf((id) => created.has(String(id))),
    ),
  );
}

/** A fault that distinguishes the sites that were created since it was turned on. */
export function trackNewSites(wrapOf: (isNew: (id: unknown) => boolean) => Wrap): Wrap {
  return withMemory((memory, created = memory.set('created')) =>
    combineWraps(
      watchResult(['createSite'], ({ id }) => created.add(String(id))),
      wrapOf((id) => created.has(String(id))),
    ),
  );
}
