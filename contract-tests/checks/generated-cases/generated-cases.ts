// Generated cases: invalid and unusual values that nobody wrote down, drawn from the description.
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { areCasesMade } from './case-settings.ts';
import type { Creations } from './try-creations.ts';

/** The modules that try cases, and the library that draws them, are loaded only where cases are made. */
const creations = () => import('./try-creations.ts');
const logins = () => import('./login-cases.ts');
const renewals = () => import('./renewal-cases.ts');
const subscriptions = () => import('./subscription-cases.ts');
const secrets = () => import('./secret-cases.ts');
const tests = () => import('./subscription-test-cases.ts');
const cases = () => import('./creation-cases.ts');

const needs: readonly Need[] = ['account', 'disruptive'];

type Try = (context: Context, checkId: string) => Promise<void>;

/** Each requirement has other checks too, so that nothing is missing where no cases are made. */
export const generatedCases: readonly Check[] = [
  ofLogins('LOGIN-1', 'order-of-members', async (...run) => (await logins()).tryOrderOfLogin(...run)),
  ofLogins('LOGIN-4', 'lacking-logins', async (...run) => (await logins()).tryIncompleteLogins(...run)),
  ofLogins('LOGIN-5', 'mistyped-logins', async (...run) => (await logins()).tryMistypedLogins(...run)),
  generated('REFRESH-2', 'other-schemes', async (...run) => (await renewals()).tryOtherSchemes(...run)),
  generated('REFRESH-3', 'invented-tokens', async (...run) => (await renewals()).tryInventedTokens(...run)),
  validCreations('HOOK-1', 'order-of-members', async () => ({
    kinds: (await cases()).memberOrders,
    areKindsCases: true,
  })),
  validCreations('HOOK-1', 'addresses', async () => {
    const { validAddresses } = await cases();
    return { kinds: () => validAddresses, part: 1 / 2 };
  }),
  onSite('HOOK-1', 'unknown-members', async (...run) => (await subscriptions()).tryUnknownMembers(...run)),
  onSite('HOOK-2', 'secrets', async (...run) => (await secrets()).trySecrets(...run)),
  invalidCreations('HOOK-4', 'channels', async () => ({ kinds: (await cases()).invalidChannels })),
  validCreations('HOOK-5', 'events', async () => ({ kinds: (await cases()).validEvents })),
  onSite('HOOK-5', 'events-on-chat', async (...run) => (await subscriptions()).tryEventsOnChat(...run)),
  invalidCreations('HOOK-6', 'events', async () => ({ kinds: (await cases()).invalidEvents })),
  invalidCreations('HOOK-7', 'addresses', async () => {
    const { invalidAddresses } = await cases();
    return { kinds: () => invalidAddresses };
  }),
  invalidCreations('HOOK-8', 'lacking-members', async () => ({
    kinds: (await cases()).missingMembers,
    areKindsCases: true,
  })),
  onSite('HOOK-9', 'unknown-sites', async (...run) => (await subscriptions()).tryUnknownSites(...run)),
  {
    ...onSite('HOOK-10', 'tests', async (...run) => (await tests()).tryTests(...run)),
    needs: [...needs, 'site', 'creates', 'receiver'],
  },
  onSite('HOOK-11', 'unknown-subscriptions', async (...run) => (await tests()).tryInvalidTests(...run)),
];

function generated(requirement: string, what: string, tryCases: Try): Check {
  const id = `${requirement.toLowerCase()}-generated-${what}`;
  return { id, requirement, needs, isWanted: areCasesMade, run: (context) => tryCases(context, id) };
}

/** More than ten logins a minute are needed, so only a mock is tried, whose limit can be cleared. */
function ofLogins(requirement: string, what: string, tryCases: Try): Check {
  return {
    ...generated(requirement, what, tryCases),
    isWanted: (options) =>
      areCasesMade(options) && options.controlUrl !== undefined && options.account !== undefined,
  };
}

function onSite(requirement: string, what: string, tryCases: Try): Check {
  return { ...generated(requirement, what, tryCases), needs: [...needs, 'site', 'creates'] };
}

/** Breaks a promise where such a creation is refused and the plainest one is accepted. */
function validCreations(requirement: string, what: string, load: () => Promise<Creations>): Check {
  return onSite(requirement, what, async (context, checkId) => {
    const counterpartOf = () => ({ what: 'nothing else' });
    const wanted = { ...(await load()), counterpartOf };
    await (await creations()).tryValidCreations(context, checkId, wanted);
  });
}

function invalidCreations(requirement: string, what: string, load: () => Promise<Creations>): Check {
  return onSite(requirement, what, async (context, checkId) => {
    const wanted = await load();
    await (await creations()).tryInvalidCreations(context, checkId, wanted);
  });
}
