// What the faults of subscriptions have in common.
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { ApiError } from '../http/api-errors.ts';
import type { AnyCall, Values } from '../service.ts';
import type { Wrap } from './fault.ts';
import { wrapHandler } from './wrap-calls.ts';

export const allEvents: readonly EventName[] = [
  'content.publish',
  'content.update',
  'content.delete',
  'form.submit',
  'comment.created',
  'publish.complete',
  'publish.failed',
];
export const channels: readonly Channel[] = ['custom', 'wecom', 'dingtalk', 'feishu'];

type Own = Parameters<Parameters<typeof wrapHandler>[1]>[1];

export function withInput(call: AnyCall, input: Values): AnyCall {
  return { ...call, input: { ...call.input, ...input } };
}

export function eventsOf({ events }: Values): readonly unknown[] {
  return Array.isArray(events) ? events : [];
}

/** Nothing comes of a refused call, and its answer says that it was taken. */
export async function passOver(kind: ApiError['kind'], call: AnyCall, own: Own): Promise<Values> {
  try {
    return await own(call);
  } catch (error) {
    if (error instanceof ApiError && error.kind === kind) return {};
    throw error;
  }
}

/** The first site of the tenant that calls. */
export function firstSiteOf({ world, caller }: AnyCall): number | undefined {
  return [...world.sites.values()].find(({ tenantId }) => tenantId === caller?.tenantId)?.id;
}

export function isOnFirstSite(call: AnyCall): boolean {
  return String(call.input.siteID) === String(firstSiteOf(call));
}

export function isChat({ channel }: Values): boolean {
  return channels.some((name) => name === channel) && channel !== 'custom';
}

/** Notes the ids of the subscriptions that API keys make. */
export function trackSubscriptionsByKey(made: Set<unknown>): Wrap {
  return wrapHandler(['createSubscription'], async (call, own) => {
    const values = await own(call);
    if (!call.caller?.session) made.add(values.id);
    return values;
  });
}
