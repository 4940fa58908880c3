// Whether the needs of a check are met, and if not, what would meet them.
import type { EventName } from '../../openapi/generated/types.ts';
import { isObject } from '../../openapi/json.ts';
import { operationGap } from '../../openapi/operations.ts';
import { gapValue } from '../../openapi/profile.ts';
import { neededFor, takesContent } from '../calls/event-operations.ts';
import { unmetWait } from '../calls/wait-budget.ts';
import type { Check, Need } from '../check.ts';
import type { Context } from '../context.ts';
import { causableEvents } from '../events/event-triggers.ts';
import { areTestsRetried } from '../events/failing-tests.ts';

/** Why a check can't be made: the first need that is not met. Undefined where it can. */
export function unmetNeeds({ needs }: Check, context: Context): string | undefined {
  return needs.map((need) => unmetNeed(need, context)).find((reason) => reason !== undefined);
}

/** Why a need is not met, and what would meet it; undefined where it is met. */
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
        : 'needs a receiver that the deployment can reach; give --receiver-listen and --receiver-url';
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

/** The same for needs that the options and the profile decide before the run; undefined for the others. */
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
        ? 'creates something, which --suite smoke does not; run with --suite safe'
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
      return options.tier === 'full' ? undefined : 'uses up a shared allowance; run with --suite full';
    default:
      return undefined;
  }
}

/** A key that can't be deleted uses up one of five places for good. */
function unmetSpareKey({ options, operations }: Context): string | undefined {
  if (options.tier === 'full' || operations.has('deleteKey')) return undefined;
  return 'creates an API key that could not be deleted again; state operation.delete-key in a profile, or run with --suite full';
}

function unmetOperation(
  gap: string,
  { profile, options }: Pick<Context, 'options' | 'profile'>,
): string | undefined {
  const call = gapValue(profile, gap);
  if (call === 'not-offered') return `the deployment does not offer it (${gap}: not-offered)`;
  if (call === 'unknown') return `needs to know how to call it; state ${gap} in a profile`;
  if (isObject(call) && call.auth === 'api-key' && !options.apiKey)
    return `is called with an API key only (auth of ${gap}); set SITEPUB_API_KEY`;
  return gap === 'operation.delete-key' ? unmetIdentifier('createKey', { profile }) : undefined;
}

/** What is created can be changed and deleted where its identifier is known. */
function unmetIdentifier(
  creation: 'createKey' | 'createContent',
  { profile }: Pick<Context, 'profile'>,
): string | undefined {
  const gap = operationGap(creation);
  const call = gapValue(profile, gap);
  const isLacking = isObject(call) && call.id === undefined;
  return isLacking ? `needs the identifier of what is created; state id in ${gap}` : undefined;
}

/** What causes the event may take something that another operation creates. */
function unmetEvent(event: EventName, context: Context): string | undefined {
  const lacking = neededFor(context.operations, event).find((id) => !context.operations.has(id));
  if (lacking) return unmetOperation(operationGap(lacking), context);
  return takesContent(context.operations, event) ? unmetIdentifier('createContent', context) : undefined;
}

function unmetCause(context: Context): string | undefined {
  return causableEvents(context).length > 0
    ? undefined
    : 'needs to know how to cause an event; state one of operation.submit-form, create-comment, update-content, publish-site, … in a profile';
}

/** A token expires within the run where its lifetime is known, and short enough to wait for. */
function unmetExpiry({ profile, options, control }: Context): string | undefined {
  if (control) return undefined;
  const stated = profile.stated.has('token.lifetime');
  const seconds = profile.values['token.lifetime'];
  if (stated && seconds * 1_000 <= options.maxWaitMs) return undefined;
  return stated
    ? `needs a token to expire, which takes ${seconds} s; run with --max-wait ${seconds}s`
    : 'needs a token to expire; state token.lifetime in a profile and allow that time with --max-wait';
}
