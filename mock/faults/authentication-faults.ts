import type { OperationId } from '../../openapi/operations.ts';
import { ApiError, unauthenticated } from '../http/api-errors.ts';
import type { AnyCall } from '../service.ts';
import { digest } from '../world/digests.ts';
import { isByLaterUser, isOfFirstTenant } from './caller-tools.ts';
import type { Fault, Wrap } from './fault.ts';
import {
  acceptSimilarTokens,
  hasAnotherEnd,
  hasMoreBehind,
  isCutShort,
  isInOtherCase,
  isOneOff,
} from './similar-credentials.ts';
import { trackRenewals } from './track-renewals.ts';
import { admitCaller, rejectCaller, wrapHandler } from './wrap-calls.ts';

/** Of who may call what. */
export const authenticationFaults: readonly Fault[] = [
  {
    id: 'create-without-authorization',
    title: 'A subscription is created without Authorization.',
    requirement: 'AUTH-1',
    wrap: admitCaller(['createSubscription'], ({ header }) => (header === undefined ? null : undefined)),
  },
  {
    id: 'test-without-authorization',
    title: 'A subscription is tested without Authorization.',
    requirement: 'AUTH-1',
    wrap: admitCaller(['testSubscription'], ({ header }) => (header === undefined ? null : undefined)),
  },
  {
    id: 'create-by-empty-bearer',
    title: 'A subscription is created with the word Bearer and no token.',
    requirement: 'AUTH-1',
    wrap: admitCaller(['createSubscription'], byEmptyBearer),
  },
  {
    id: 'test-by-empty-bearer',
    title: 'A subscription is tested with the word Bearer and no token.',
    requirement: 'AUTH-1',
    wrap: admitCaller(['testSubscription'], byEmptyBearer),
  },
  {
    id: 'session-token-refused-on-test',
    title: 'The test of a subscription takes API keys only.',
    requirement: 'AUTH-2',
    wrap: rejectCaller(['testSubscription'], ({ session }) =>
      session ? unauthenticated('expected an API key') : undefined,
    ),
  },
  {
    id: 'session-token-refused-on-create',
    title: 'The creation of a subscription takes API keys only.',
    requirement: 'AUTH-2',
    wrap: rejectCaller(['createSubscription'], ({ session }) =>
      session ? unauthenticated('expected an API key') : undefined,
    ),
  },
  {
    id: 'login-token-refused-on-test-until-renewed',
    title: 'The test of a subscription takes session tokens only that came out of a renewal.',
    requirement: 'AUTH-2',
    wrap: refusingLoginTokens('testSubscription'),
  },
  {
    id: 'session-token-of-later-tenants-refused-on-create',
    title: 'The creation of a subscription takes API keys only, except from the first tenant.',
    requirement: 'AUTH-2',
    wrap: rejectCaller(['createSubscription'], ({ session, tenantId }, { service }) =>
      session && !isOfFirstTenant(service.world, tenantId)
        ? unauthenticated('expected an API key')
        : undefined,
    ),
  },
  {
    id: 'session-token-of-later-users-refused-on-create',
    title: 'Only the first user of a tenant can create subscriptions.',
    requirement: 'AUTH-2',
    wrap: refusingLaterUsers('createSubscription'),
  },
  {
    id: 'session-token-of-later-users-refused-on-test',
    title: 'Only the first user of a tenant can test subscriptions.',
    requirement: 'AUTH-2',
    wrap: refusingLaterUsers('testSubscription'),
  },
  {
    id: 'api-key-refused-on-test',
    title: 'The test of a subscription takes session tokens only.',
    requirement: 'AUTH-3',
    wrap: rejectCaller(['testSubscription'], ({ session }) =>
      session ? undefined : unauthenticated('expected a session token'),
    ),
  },
  {
    id: 'api-key-refused-on-create',
    title: 'The creation of a subscription takes session tokens only.',
    requirement: 'AUTH-3',
    wrap: rejectCaller(['createSubscription'], ({ session }) =>
      session ? undefined : unauthenticated('expected a session token'),
    ),
  },
  {
    id: 'new-key-not-accepted',
    title: 'An API key is accepted from the day after its creation on.',
    requirement: 'AUTH-3',
    wrap: refusingNewKeys(['createSubscription', 'testSubscription']),
  },
  {
    id: 'new-key-refused-on-test',
    title: 'An API key can test subscriptions from the day after its creation on.',
    requirement: 'AUTH-3',
    wrap: refusingNewKeys(['testSubscription']),
  },
  {
    id: 'invented-token-taken-on-create',
    title: 'A subscription is created with any session token, known or not.',
    requirement: 'AUTH-4',
    wrap: admitCaller(['createSubscription'], inventedBy('st_')),
  },
  {
    id: 'invented-key-taken-on-test',
    title: 'A subscription is tested with any API key, known or not.',
    requirement: 'AUTH-4',
    wrap: admitCaller(['testSubscription'], inventedBy('sp_')),
  },
  {
    id: 'invented-key-taken-on-create',
    title: 'A subscription is created with any API key, known or not.',
    requirement: 'AUTH-4',
    wrap: admitCaller(['createSubscription'], inventedBy('sp_')),
  },
  {
    id: 'invented-token-taken-on-test',
    title: 'A subscription is tested with any session token, known or not.',
    requirement: 'AUTH-4',
    wrap: admitCaller(['testSubscription'], inventedBy('st_')),
  },
  {
    id: 'token-cut-short-taken-on-create',
    title: 'A subscription is created with the beginning of a session token.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['createSubscription'], { prefix: 'st_', isLike: isCutShort }),
  },
  {
    id: 'token-with-more-behind-taken-on-test',
    title: 'What follows a session token is ignored in the test of a subscription.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['testSubscription'], { prefix: 'st_', isLike: hasMoreBehind }),
  },
  {
    id: 'token-with-another-end-taken',
    title: 'The last characters of a session token, as a signature might be, are not looked at.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['createSubscription', 'testSubscription'], {
      prefix: 'st_',
      isLike: hasAnotherEnd,
    }),
  },
  {
    id: 'key-in-other-case-taken-on-test',
    title: 'A subscription is tested with an API key in other case.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['testSubscription'], { prefix: 'sp_', isLike: isInOtherCase }),
  },
  {
    id: 'key-one-off-taken-on-create',
    title: 'A subscription is created with an API key of which one character is wrong.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['createSubscription'], { prefix: 'sp_', isLike: isOneOff }),
  },
  {
    id: 'key-cut-short-taken-on-test',
    title: 'A subscription is tested with the beginning of an API key.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['testSubscription'], { prefix: 'sp_', isLike: isCutShort }),
  },
  {
    id: 'key-with-more-behind-taken-on-create',
    title: 'What follows an API key is ignored in the creation of a subscription.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['createSubscription'], { prefix: 'sp_', isLike: hasMoreBehind }),
  },
  {
    id: 'expired-token-taken-on-test',
    title: 'A subscription is tested with an expired token.',
    requirement: 'AUTH-5',
    wrap: ignoringExpiry(['testSubscription'], Number.POSITIVE_INFINITY),
  },
  {
    id: 'expired-token-taken-for-a-minute',
    title: 'A session token is accepted for a minute more than it lives.',
    requirement: 'AUTH-5',
    wrap: ignoringExpiry(['createSubscription', 'testSubscription'], 60_000),
  },
  {
    id: 'expired-token-taken-on-create',
    title: 'A subscription is created with an expired token.',
    requirement: 'AUTH-5',
    wrap: ignoringExpiry(['createSubscription'], Number.POSITIVE_INFINITY),
  },
  {
    id: 'expired-token-taken-once',
    title: 'The first call with an expired token is let through.',
    requirement: 'AUTH-5',
    wrap: (steps) => {
      const used = new Set<string | undefined>();
      return {
        authenticate(service, operation, request) {
          try {
            return steps.authenticate(service, operation, request);
          } catch (error) {
            const isFirst =
              error instanceof ApiError && error.kind === 'token-expired' && !used.has(request.header);
            if (!isFirst) throw error;
            used.add(request.header);
            return steps.authenticate(service, operation, { ...request, now: 0 });
          }
        },
      };
    },
  },
  {
    id: 'expired-login-token-taken',
    title: 'Only tokens that came out of a renewal expire.',
    requirement: 'AUTH-5',
    wrap: trackRenewals((isRenewed) => (steps) => ({
      authenticate(service, operation, request) {
        const isOfHook = operation.id === 'createSubscription' || operation.id === 'testSubscription';
        if (!isOfHook) return steps.authenticate(service, operation, request);
        const caller = steps.authenticate(service, operation, { ...request, now: 0 });
        return isRenewed(caller) ? steps.authenticate(service, operation, request) : caller;
      },
    })),
  },
  {
    id: 'expired-token-of-later-users-taken',
    title: "Only the first user's tokens expire.",
    requirement: 'AUTH-5',
    wrap: (steps) => ({
      authenticate(service, operation, request) {
        if (operation.id === 'refresh') return steps.authenticate(service, operation, request);
        const caller = steps.authenticate(service, operation, { ...request, now: 0 });
        return isByLaterUser(service.world, caller)
          ? caller
          : steps.authenticate(service, operation, request);
      },
    }),
  },
  {
    id: 'foreign-site-taken-on-create',
    title: "Every tenant can create subscriptions on every tenant's sites.",
    requirement: 'AUTH-6',
    wrap: ignoringTenant('createSubscription', () => true),
  },
  {
    id: 'foreign-site-taken-on-test',
    title: "Every tenant can test every tenant's subscriptions.",
    requirement: 'AUTH-6',
    wrap: ignoringTenant('testSubscription', () => true),
  },
  {
    id: 'foreign-site-taken-of-younger-tenants',
    title: 'A tenant can create subscriptions on the sites of tenants that joined later.',
    requirement: 'AUTH-6',
    wrap: ignoringTenant('createSubscription', ({ caller, owner }) => caller < owner),
  },
  {
    id: 'foreign-site-open-to-api-keys',
    title: "An API key is good for the creation of subscriptions on every tenant's sites.",
    requirement: 'AUTH-6',
    wrap: ignoringTenant('createSubscription', ({ isKey }) => isKey),
  },
  {
    id: 'foreign-site-open-to-later-users',
    title: "A tenant's second user can create subscriptions on every tenant's sites.",
    requirement: 'AUTH-6',
    wrap: ignoringTenant('createSubscription', ({ call }) => isByLaterUser(call.world, call.caller)),
  },
  {
    id: 'foreign-subscriptions-tested-by-api-keys',
    title: "An API key is good for the test of every tenant's subscriptions.",
    requirement: 'AUTH-6',
    wrap: ignoringTenant('testSubscription', ({ isKey }) => isKey),
  },
  {
    id: 'new-site-open-to-all-tenants',
    title: 'A site that was created through the API is open to all tenants.',
    requirement: 'AUTH-6',
    wrap: ignoringTenant('createSubscription', ({ call }) => Number(call.input.siteID) > 1000),
  },
  {
    id: 'foreign-site-taken-after-renewal',
    title: "With a renewed token, subscriptions can be created on every tenant's sites.",
    requirement: 'AUTH-6',
    wrap: trackRenewals((isRenewed) =>
      ignoringTenant('createSubscription', ({ call }) => isRenewed(call.caller)),
    ),
  },
];

type CallerOf = Parameters<typeof admitCaller>[1];

function byEmptyBearer({ header = '' }: Parameters<CallerOf>[0]): null | undefined {
  return /^Bearer *$/i.test(header) ? null : undefined;
}

function refusingLoginTokens(id: OperationId): Wrap {
  return trackRenewals((isRenewed) =>
    rejectCaller([id], (caller) =>
      caller.session && !isRenewed(caller) ? unauthenticated('expected a renewed token') : undefined,
    ),
  );
}

function refusingLaterUsers(id: OperationId): Wrap {
  return rejectCaller([id], (caller, { service }) =>
    isByLaterUser(service.world, caller) ? unauthenticated('expected the first user') : undefined,
  );
}

/** What is there from the beginning was created long ago. */
function refusingNewKeys(ids: readonly OperationId[]): Wrap {
  return (steps, aids) => {
    const made = new Set<string>();
    const noting = wrapHandler(['createKey'], async (call, own) => {
      const values = await own(call);
      made.add(String(values.key));
      return values;
    });
    const refusing = rejectCaller(ids, (_caller, { header = '' }) =>
      made.has(header.replace(/^Bearer +/i, '')) ? unauthenticated('the API key is too new') : undefined,
    );
    return { ...noting(steps, aids), ...refusing(steps, aids) };
  };
}

function inventedBy(prefix: string): CallerOf {
  return ({ service, header = '' }) => {
    const expired = /^Bearer /.test(header) && prefix === 'st_' && isKnown(service, header);
    return header.startsWith(`Bearer ${prefix}`) && !expired ? null : undefined;
  };
}

/** A token that has expired is another matter than one that nobody was given. */
function isKnown({ world }: Parameters<CallerOf>[0]['service'], header: string): boolean {
  return world.sessions.has(digest(header.slice('Bearer '.length)));
}

function ignoringExpiry(ids: readonly OperationId[], graceMs: number): Wrap {
  return (steps) => ({
    authenticate: (service, operation, request) =>
      steps.authenticate(service, operation, {
        ...request,
        ...(ids.includes(operation.id) && { now: Math.max(0, request.now - graceMs) }),
      }),
  });
}

interface Trespass {
  caller: number;
  owner: number;
  isKey: boolean;
  call: AnyCall;
}

function ignoringTenant(id: OperationId, when: (trespass: Trespass) => boolean): Wrap {
  return wrapHandler([id], (call, own) => {
    const { caller, world, input } = call;
    const owner = world.sites.get(Number(input.siteID))?.tenantId;
    if (!caller || owner === undefined) return own(call);
    const trespass = { caller: caller.tenantId, owner, isKey: !caller.session, call };
    return own(when(trespass) ? { ...call, caller: { ...caller, tenantId: owner } } : call);
  });
}
