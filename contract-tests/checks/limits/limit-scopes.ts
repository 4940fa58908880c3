// The scope of a limit: all calls of a tenant share it, whichever user sends them and on whichever site; other tenants do not.

import { canVary, gapOf } from '../../calls/profile-calls.ts';
import { otherSession, secondSession } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotApplicable, NotVerified } from '../../core/outcomes.ts';
import { newSite } from '../../events/repeated-writes.ts';
import { callsOf, type SiteLimitedId, sendOne } from './limited-calls.ts';
import { beginLimit, planLimit } from './measured-limits.ts';
import { isFreeInBurst, requireFree, requireShared } from './shared-limits.ts';

interface Scope {
  name: string;
  /** Opens the sessions that it needs, before the limits are used up. */
  prepare?(context: Context): Promise<unknown>;
  /** Completes "… while the limit is used up". */
  what: string;
  needs: readonly Need[];
  send(context: Context, id: SiteLimitedId): Promise<Exchange>;
}

interface Kind {
  lets: string;
  refuses: string;
  operation: Need;
  name: string;
  /** Completes "… to be let through". */
  call: string;
}

const needs: readonly Need[] = ['account', 'site', 'creates', 'disruptive'];

/** By then a limit that lets one call through every six seconds lets one through. */
const pacedMs = 6_300;

/** Whoever breaks a limit is looked at for several minutes, until it is certain. */
export const longestMs = 900_000;

export const scopedKinds: Readonly<Record<SiteLimitedId, Kind>> = {
  publishSite: {
    lets: 'LIMIT-5',
    refuses: 'LIMIT-6',
    operation: 'operation:publish-site',
    name: 'publishes',
    call: 'a publish',
  },
  askAi: {
    lets: 'LIMIT-7',
    refuses: 'LIMIT-8',
    operation: 'operation:ai',
    name: 'ai-calls',
    call: 'an AI call',
  },
};

const sharers: readonly Scope[] = [
  {
    name: 'users',
    what: 'a call of a second user',
    needs: ['second-user'],
    prepare: secondSession,
    send: async (context, id) => sendOne(context, id, { token: (await secondSession(context)).token }),
  },
  {
    name: 'api-keys',
    what: 'a call with an API key',
    needs: ['api-key'],
    send: (context, id) => sendOne(context, id, { token: String(context.options.apiKey) }),
  },
  {
    name: 'sites',
    what: 'a call on another site of the tenant',
    needs: ['operation:create-site'],
    send: async (context, id) => {
      if (!canVary(context, id, 'siteID'))
        throw new NotApplicable(`the call of ${gapOf(context, id)} does not name a site`);
      return sendOne(context, id, { siteID: await newSite(context) });
    },
  },
];

/** The checks of a limit's scope; they run right after its first burst. */
export function limitScopes(id: SiteLimitedId): readonly Check[] {
  const { lets, refuses, operation } = scopedKinds[id];
  const common = { isFurther: true, longestMs, prepare: (context: Context) => planLimit(context, id) };
  return [
    ...sharers.map((sharer) => ({
      ...common,
      prepare: async (context: Context) => {
        await planLimit(context, id);
        await sharer.prepare?.(context);
      },
      id: `${refuses.toLowerCase()}-shared-by-${sharer.name}`,
      requirement: refuses,
      needs: [...needs, operation, ...sharer.needs],
      run: async (context: Context) => {
        const first = await beginLimit(context, id);
        const send = () => sharer.send(context, id);
        await requireShared(context, { calls: callsOf(context, id), first, what: sharer.what, send });
      },
    })),
    {
      ...common,
      id: `${lets.toLowerCase()}-not-of-another-tenant`,
      requirement: lets,
      needs: [...needs, operation, 'second-tenant'],
      run: (context: Context) => requireFreeOtherTenant(context, id),
    },
  ];
}

async function requireFreeOtherTenant(context: Context, id: SiteLimitedId): Promise<void> {
  const send = async () => {
    const { token } = await otherSession(context);
    return sendOne(context, id, { siteID: context.options.other?.siteId, token });
  };
  const first = await beginLimit(context, id);
  await requireFree(context, { calls: callsOf(context, id), first, what: 'a call of another tenant', send });
}

/** Calls of the other kind have a separate limit and are let through. */
export function limitBeside(usedUp: SiteLimitedId): Check {
  const id: SiteLimitedId = usedUp === 'askAi' ? 'publishSite' : 'askAi';
  const { lets, operation, call: what } = scopedKinds[id];
  return {
    id: `${lets.toLowerCase()}-beside-${scopedKinds[usedUp].name}`,
    isFurther: true,
    requirement: lets,
    needs: [...needs, operation, scopedKinds[usedUp].operation],
    longestMs,
    run: async (context) => {
      const first = await beginLimit(context, usedUp);
      const free = { calls: callsOf(context, usedUp), first, what, send: () => sendOne(context, id) };
      if (await isFreeInBurst(context, free, await beginLimit(context, id))) return;
      if (usedUp === 'publishSite') await once(context, callBeside, id);
      await requireFree(context, free);
    },
  };
}

/** A call before the other limit is used up once more. Throws NotVerified where it is refused, as its own limit may be used up. */
export async function callBeside(context: Context, id: SiteLimitedId): Promise<void> {
  if (!context.operations.has(id)) return;
  if (succeeded(await sendOne(context, id))) return;
  await context.clock.pass(pacedMs, 'the limit to allow another call');
  const before = await sendOne(context, id);
  if (!succeeded(before))
    throw new NotVerified(`the call was refused before too (${describeAnswer(before)})`);
}
