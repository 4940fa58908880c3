import type { EventName } from '../../openapi/generated/types.ts';
import { isObject } from '../../openapi/json.ts';
import { operationGap } from '../../openapi/operations.ts';
import { gapValue } from '../../openapi/profile.ts';
import { unmetWait } from '../calls/wait-budget.ts';
import type { Check, Need } from '../check.ts';
import type { Context } from '../context.ts';
import { neededFor, takesContent } from '../core/event-operations.ts';
import { causableEvents } from '../events/event-triggers.ts';
import { areTestsRetried } from '../events/failing-tests.ts';

/** The first unmet need of a check and how to meet it. Undefined if the check can run. */
export function unmetNeeds({ needs }: Check, context: Context): string | undefined {
  return needs.map((need) => unmetNeed(need, context)).find((reason) => reason !== undefined);
}

/** Why a need is not met and how to meet it. Undefined if it is met. */
export function unmetNeed(need: Need, context: Context): string | undefined {
  const { siteId, receiver, unreached } = context;
  if (need === 'operation:any-event') return unmetCause(context);
  if (need.startsWith('event:')) return unmetEvent(need.slice('event:'.length) as EventName, context);
  switch (need) {
    case 'site':
      return siteId === undefined ? 'needs a site of the tenant; set SITEPUB_SITE_ID' : undefined;
    case 'receiver':
      return receiver
        ? unreached
        : 'needs a receiver that the deployment can reach; pass --receiver-listen and --receiver-url';
    case 'spare-key':
      return unmetSpareKey(context);
    case 'expiry':
      return unmetExpiry(context);
    case 'retried-push':
      return areTestsRetried(context) ? undefined : unmetCause(context);
    default:
      return unmetBeforehand(need, context);
  }
}

/** The same for needs that depend only on options and profile. Undefined for other needs. */
export function unmetBeforehand(
  need: Need,
  { options, profile }: Pick<Context, 'options' | 'profile'>,
): string | undefined {
  if (need.startsWith('operation:')) return unmetOperation(need.replace(':', '.'), { options, profile });
  if (need.startsWith('wait:')) return unmetWait(need.slice('wait:'.length), { options });
  switch (need) {
    case 'account':
      return options.account ? undefined : 'needs a user; set SITEPUB_USERNAME and SITEPUB_PASSWORD';
    case 'creates':
      return options.tier === 'smoke'
        ? 'creates data, which --suite smoke does not do; run with --suite safe'
        : undefined;
    case 'api-key':
      return options.apiKey ? undefined : 'needs an API key; set SITEPUB_API_KEY';
    case 'second-user':
      return options.second
        ? undefined
        : 'needs a second user of the tenant; set SITEPUB_SECOND_USERNAME and SITEPUB_SECOND_PASSWORD';
    case 'second-tenant':
      return options.other?.siteId === undefined
        ? 'needs another tenant; set SITEPUB_OTHER_USERNAME, SITEPUB_OTHER_PASSWORD and SITEPUB_OTHER_SITE_ID'
        : undefined;
    case 'other-user':
      return options.other
        ? undefined
        : 'needs a user of another tenant; set SITEPUB_OTHER_USERNAME and SITEPUB_OTHER_PASSWORD';
    case 'disruptive':
      return options.tier === 'full' ? undefined : 'uses up a limit that others share; run with --suite full';
    default:
      return undefined;
  }
}

/** A tenant has at most five keys, so a key that cannot be deleted takes up one of them forever. */
function unmetSpareKey({ options, operations }: Context): string | undefined {
  if (options.tier === 'full' || operations.has('deleteKey')) return undefined;
  return 'creates an API key that it could not delete; state operation.delete-key in the profile or run with --suite full';
}

function unmetOperation(
  gap: string,
  { profile, options }: Pick<Context, 'options' | 'profile'>,
): string | undefined {
  const call = gapValue(profile, gap);
  if (call === 'not-offered') return `the deployment does not offer the operation (${gap}: not-offered)`;
  if (call === 'unknown') return `needs to know how to call an operation; state ${gap} in the profile`;
  if (isObject(call) && call.auth === 'api-key' && !options.apiKey)
    return `needs an API key for the call (auth of ${gap}); set SITEPUB_API_KEY`;
  return gap === 'operation.delete-key' ? unmetIdentifier('createKey', { profile }) : undefined;
}

/** A run can change and delete what it created only if it knows the id. */
function unmetIdentifier(
  creation: 'createKey' | 'createContent',
  { profile }: Pick<Context, 'profile'>,
): string | undefined {
  const gap = operationGap(creation);
  const call = gapValue(profile, gap);
  const isLacking = isObject(call) && call.id === undefined;
  return isLacking ? `needs the id of the created resource; state id in ${gap}` : undefined;
}

/** Causing an event may need a resource that another operation creates. */
function unmetEvent(event: EventName, context: Context): string | undefined {
  const lacking = neededFor(context.operations, event).find((id) => !context.operations.has(id));
  if (lacking) return unmetOperation(operationGap(lacking), context);
  return takesContent(context.operations, event) ? unmetIdentifier('createContent', context) : undefined;
}

function unmetCause(context: Context): string | undefined {
  return causableEvents(context).length > 0
    ? undefined
    : 'needs to know how to cause an event; state one of operation.submit-form, create-comment, update-content, publish-site, … in the profile';
}

/** A token can expire during the run only if its lifetime is known and short enough. */
function unmetExpiry({ profile, options, control }: Context): string | undefined {
  if (control) return undefined;
  const stated = profile.stated.has('token.lifetime');
  const seconds = profile.values['token.lifetime'];
  if (stated && seconds * 1_000 <= options.maxWaitMs) return undefined;
  return stated
    ? `needs a token to expire, which takes ${seconds} s; run with --max-wait ${seconds}s`
    : 'needs a token to expire; state token.lifetime in the profile and run with a --max-wait of at least that time';
}
