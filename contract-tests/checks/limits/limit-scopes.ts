// The scope of a limit: all calls of a tenant share it, whichever user sends them and on whichever site; other tenants do not.

import { canVary, gapOf } from '../../calls/profile-calls.ts';
import { otherSession, secondSession } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { areAlike, describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { newSite } from '../../events/repeated-writes.ts';
import { callsOf, type LimitedId, measureOperation, sendOne } from './limited-calls.ts';
import { canWait, waitQuiet, whileUsedUp } from './measure-limit.ts';

interface Scope {
  name: string;
  /** Completes "… while the limit is used up". */
  what: string;
  needs: readonly Need[];
  send(context: Context, id: LimitedId): Promise<Exchange>;
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

export const scopedKinds: Readonly<Record<LimitedId, Kind>> = {
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
    what: 'that of a second user',
    needs: ['second-user'],
    send: async (context, id) => sendOne(context, id, { token: (await secondSession(context)).token }),
  },
  {
    name: 'api-keys',
    what: 'that with an API key',
    needs: ['api-key'],
    send: (context, id) => sendOne(context, id, { token: String(context.options.apiKey) }),
  },
  {
    name: 'sites',
    what: 'that on another site of the tenant',
    needs: ['operation:create-site'],
    send: async (context, id) => {
      if (!canVary(context, id, 'siteID'))
        throw new NotVerified(`the call of ${gapOf(context, id)} does not name a site`);
      return sendOne(context, id, { siteID: await newSite(context) });
    },
  },
];

/** The checks of a limit's scope; they run right after the limit was measured. */
export function limitScopes(id: LimitedId): readonly Check[] {
  const { lets, refuses, operation } = scopedKinds[id];
  return [
    ...sharers.map((sharer) => ({
      id: `${refuses.toLowerCase()}-shared-by-${sharer.name}`,
      isFurther: true,
      requirement: refuses,
      needs: [...needs, operation, ...sharer.needs],
      run: (context: Context) => requireShared(context, id, sharer),
    })),
    {
      id: `${lets.toLowerCase()}-not-of-another-tenant`,
      isFurther: true,
      requirement: lets,
      needs: [...needs, operation, 'second-tenant'],
      run: (context: Context) => requireFreeOtherTenant(context, id),
    },
  ];
}

/** Calls of the other kind have a separate limit and are let through. Runs before that limit is measured, where possible. */
export function limitBeside(usedUp: LimitedId): Check {
  const id: LimitedId = usedUp === 'askAi' ? 'publishSite' : 'askAi';
  const { lets, operation, call: what } = scopedKinds[id];
  return {
    id: `${lets.toLowerCase()}-beside-${scopedKinds[usedUp].name}`,
    isFurther: true,
    requirement: lets,
    needs: [...needs, operation, scopedKinds[usedUp].operation],
    run: (context) => requireFree(context, { usedUp, what, send: () => sendOne(context, id) }),
  };
}

async function requireShared(context: Context, id: LimitedId, { what, send }: Scope): Promise<void> {
  await requireLimit(context, id);
  const calls = callsOf(context, id);
  const { refusal, exchange } = await whileUsedUp(calls, () => send(context, id));
  if (!succeeded(exchange)) {
    if (areAlike(exchange, refusal)) return;
    throw refusedOtherwise(exchange);
  }
  // Where the window has just ended, the tenant's own call is let through too.
  if (succeeded(await calls.send())) throw new NotVerified('the minute of the limit ended during the check');
  throw new PromiseBroken(
    `the limit of ${calls.what} to be that of the tenant, and ${what} to be refused too`,
    `${describeAnswer(exchange)}, while the tenant's other calls are refused`,
    exchange,
  );
}

function requireFreeOtherTenant(context: Context, id: LimitedId): Promise<void> {
  const send = async () => {
    const { token } = await otherSession(context);
    return sendOne(context, id, { siteID: context.options.other?.siteId, token });
  };
  return requireFree(context, { usedUp: id, what: 'that of another tenant', send });
}

interface Free {
  /** The kind whose limit is used up. */
  usedUp: LimitedId;
  what: string;
  send(): Promise<Exchange>;
}

async function requireFree(context: Context, { usedUp, what, send }: Free): Promise<void> {
  await requireLimit(context, usedUp);
  const calls = callsOf(context, usedUp);
  const first = await whileUsedUp(calls, send);
  if (succeeded(first.exchange)) return;
  if (!areAlike(first.exchange, first.refusal)) throw refusedOtherwise(first.exchange);
  if (!canWait(context))
    throw new NotVerified('the call was refused, but its own limit may be used up; run with --max-wait 61s');
  // This run or others may have used its own limit up: after a quiet minute the call is let through.
  await waitQuiet(context, calls);
  const before = await send();
  if (!succeeded(before))
    throw new NotVerified(`the call was refused before too (${describeAnswer(before)})`);
  const { refusal, exchange } = await whileUsedUp(calls, send);
  if (!succeeded(exchange) && areAlike(exchange, refusal))
    throw new PromiseBroken(
      `${what} to be let through while the limit of ${calls.what} is used up`,
      describeAnswer(exchange),
      exchange,
    );
}

function refusedOtherwise(exchange: Exchange): NotVerified {
  return new NotVerified(`the call was refused for another reason (${describeAnswer(exchange)})`);
}

async function requireLimit(context: Context, id: LimitedId): Promise<void> {
  const { refusesMore, refusal } = await once(context, measureOperation, id);
  if (!refusesMore || !refusal) throw new NotVerified('no call was refused for its rate');
}
