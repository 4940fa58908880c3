import type { OperationId } from '../../openapi/operations.ts';
import { unauthenticated } from '../problems.ts';
import { digest } from '../secrets.ts';
import type { Fault, Wrap } from './fault.ts';
import { admitting, handling, refusingCallers } from './wrap-calls.ts';

/** Of who may call what. */
export const authenticationFaults: readonly Fault[] = [
  {
    id: 'create-without-authorization',
    title: 'A subscription is created without Authorization.',
    requirement: 'AUTH-1',
    wrap: admitting(['createSubscription'], ({ header }) => (header === undefined ? null : undefined)),
  },
  {
    id: 'test-without-authorization',
    title: 'A subscription is tested without Authorization.',
    requirement: 'AUTH-1',
    wrap: admitting(['testSubscription'], ({ header }) => (header === undefined ? null : undefined)),
  },
  {
    id: 'session-token-refused-on-test',
    title: 'The test of a subscription takes API keys only.',
    requirement: 'AUTH-2',
    wrap: refusingCallers(['testSubscription'], ({ session }) =>
      session ? unauthenticated('expected an API key') : undefined,
    ),
  },
  {
    id: 'session-token-refused-on-create',
    title: 'The creation of a subscription takes API keys only.',
    requirement: 'AUTH-2',
    wrap: refusingCallers(['createSubscription'], ({ session }) =>
      session ? unauthenticated('expected an API key') : undefined,
    ),
  },
  {
    id: 'api-key-refused-on-test',
    title: 'The test of a subscription takes session tokens only.',
    requirement: 'AUTH-3',
    wrap: refusingCallers(['testSubscription'], ({ session }) =>
      session ? undefined : unauthenticated('expected a session token'),
    ),
  },
  {
    id: 'api-key-refused-on-create',
    title: 'The creation of a subscription takes session tokens only.',
    requirement: 'AUTH-3',
    wrap: refusingCallers(['createSubscription'], ({ session }) =>
      session ? undefined : unauthenticated('expected a session token'),
    ),
  },
  {
    id: 'invented-token-taken-on-create',
    title: 'A subscription is created with any session token, known or not.',
    requirement: 'AUTH-4',
    wrap: admitting(['createSubscription'], inventedBy('st_')),
  },
  {
    id: 'invented-key-taken-on-test',
    title: 'A subscription is tested with any API key, known or not.',
    requirement: 'AUTH-4',
    wrap: admitting(['testSubscription'], inventedBy('sp_')),
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
];

type CallerOf = Parameters<typeof admitting>[1];

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
  return (parts) => ({
    authenticate: (service, operation, request) =>
      parts.authenticate(service, operation, {
        ...request,
        ...(ids.includes(operation.id) && { now: Math.max(0, request.now - graceMs) }),
      }),
  });
}

interface Trespass {
  caller: number;
  owner: number;
  isKey: boolean;
}

function ignoringTenant(id: OperationId, when: (trespass: Trespass) => boolean): Wrap {
  return handling([id], (call, own) => {
    const { caller, world, input } = call;
    const owner = world.sites.get(Number(input.siteID))?.tenantId;
    if (!caller || owner === undefined) return own(call);
    const trespass = { caller: caller.tenantId, owner, isKey: !caller.session };
    return own(when(trespass) ? { ...call, caller: { ...caller, tenantId: owner } } : call);
  });
}
