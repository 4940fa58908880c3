// Generated cases: mistakes and oddities that nobody wrote down, drawn from the description (docs/suite.md).
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import type { SuiteOptions } from '../../core/suite-options.ts';
import { areCasesMade } from './case-settings.ts';

/** What tries the cases is loaded, and the library that draws them with it, where some are made. */
const creations = () => import('./try-creations.ts');
const logins = () => import('./login-cases.ts');
const renewals = () => import('./renewal-cases.ts');
const subscriptions = () => import('./subscription-cases.ts');
const tests = () => import('./subscription-test-cases.ts');
const wishes = () => import('./creation-cases.ts');

const needs: readonly Need[] = ['account', 'disruptive'];
const ofSubscriptions: readonly Need[] = [...needs, 'site', 'creates'];

type Try = (context: Context, checkId: string) => Promise<void>;

/** Their requirements have checks of their own, so that where no cases are made nothing is missing. */
export const generatedCases: readonly Check[] = [
  ofLogins('LOGIN-1', 'order-of-members', async (...given) => (await logins()).tryOrderOfLogin(...given)),
  ofLogins('LOGIN-4', 'lacking-logins', async (...given) => (await logins()).tryLackingLogins(...given)),
  ofLogins('LOGIN-5', 'mistyped-logins', async (...given) => (await logins()).tryMistypedLogins(...given)),
  generated('REFRESH-2', {
    what: 'other-schemes',
    run: async (...given) => (await renewals()).tryOtherSchemes(...given),
  }),
  generated('REFRESH-3', {
    what: 'invented-tokens',
    run: async (...given) => (await renewals()).tryInventedTokens(...given),
  }),
  rightCreations('HOOK-1', 'order-of-members', async () => ({
    kinds: (await wishes()).orders,
    areKindsCases: true,
  })),
  rightCreations('HOOK-1', 'addresses', async () => {
    const { rightAddresses } = await wishes();
    return { kinds: () => rightAddresses, part: 1 / 2 };
  }),
  generated('HOOK-1', {
    what: 'unknown-members',
    needs: ofSubscriptions,
    run: async (...given) => (await subscriptions()).tryUnknownMembers(...given),
  }),
  generated('HOOK-2', {
    what: 'secrets',
    needs: ofSubscriptions,
    run: async (...given) => (await subscriptions()).trySecrets(...given),
  }),
  wrongCreations('HOOK-4', 'channels', async () => ({ kinds: (await wishes()).wrongChannels })),
  rightCreations('HOOK-5', 'events', async () => ({ kinds: (await wishes()).rightEvents })),
  generated('HOOK-5', {
    what: 'events-on-chat',
    needs: ofSubscriptions,
    run: async (context, checkId) => {
      const { rightEventsOnChat } = await wishes();
      // A robot may be taken at some addresses only, so that the same channel must have been taken at this one.
      const twinOf: TwinOf = ({ values: { channel } = {} }) => ({
        what: `the channel ${channel} and nothing else`,
        values: { channel },
      });
      await (await creations()).tryRightCreations(context, checkId, { kinds: rightEventsOnChat, twinOf });
    },
  }),
  wrongCreations('HOOK-6', 'events', async () => ({ kinds: (await wishes()).wrongEvents })),
  wrongCreations('HOOK-7', 'addresses', async () => {
    const { wrongAddresses } = await wishes();
    return { kinds: () => wrongAddresses };
  }),
  wrongCreations('HOOK-8', 'lacking-members', async () => ({
    kinds: (await wishes()).missingMembers,
    areKindsCases: true,
  })),
  generated('HOOK-9', {
    what: 'unknown-sites',
    needs: ofSubscriptions,
    run: async (context, checkId) => {
      const { unknownSites } = await wishes();
      const kinds = () => unknownSites(context.siteId);
      await (await creations()).tryWrongCreations(context, checkId, { kinds, error: 'unknown-site' });
    },
  }),
  generated('HOOK-10', {
    what: 'tests',
    needs: [...ofSubscriptions, 'receiver'],
    run: async (...given) => (await tests()).tryTests(...given),
  }),
  generated('HOOK-11', {
    what: 'unknown-subscriptions',
    needs: ofSubscriptions,
    run: async (...given) => (await tests()).tryInvalidTests(...given),
  }),
];

type Creations = typeof import('./try-creations.ts');
type TwinOf = Parameters<Creations['tryRightCreations']>[2]['twinOf'];
type Wanted = Parameters<Creations['tryWrongCreations']>[2];

interface Generated {
  what: string;
  needs?: readonly Need[];
  isWanted?: (options: SuiteOptions) => boolean;
  run: Try;
}

function generated(requirement: string, own: Generated): Check {
  const id = `${requirement.toLowerCase()}-generated-${own.what}`;
  return {
    id,
    requirement,
    needs: own.needs ?? needs,
    isWanted: own.isWanted ?? areCasesMade,
    run: (context) => own.run(context, id),
  };
}

/** They are more than ten a minute, so that only a mock whose limit can be opened again is asked. */
function ofLogins(requirement: string, what: string, run: Try): Check {
  const isWanted = (options: SuiteOptions) =>
    areCasesMade(options) && options.controlUrl !== undefined && options.account !== undefined;
  return generated(requirement, { what, isWanted, run });
}

/** Refused where the plainest creation passes. */
function rightCreations(requirement: string, what: string, load: () => Promise<Wanted>): Check {
  const run: Try = async (context, checkId) => {
    const wanted = await load();
    const twinOf: TwinOf = () => ({ what: 'nothing else' });
    await (await creations()).tryRightCreations(context, checkId, { ...wanted, twinOf });
  };
  return generated(requirement, { what, needs: ofSubscriptions, run });
}

function wrongCreations(requirement: string, what: string, load: () => Promise<Wanted>): Check {
  const run: Try = async (context, checkId) => {
    const wanted = await load();
    await (await creations()).tryWrongCreations(context, checkId, wanted);
  };
  return generated(requirement, { what, needs: ofSubscriptions, run });
}
