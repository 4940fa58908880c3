// The envelope is judged on every exchange of the run; these checks come last, first make the answers that no other check
// asks for, and then read what was found.

import { call } from '../call.ts';
import type { Check, Need } from '../check.ts';
import { type Context, once } from '../context.ts';
import { describeAnswer, succeeded } from '../exchange.ts';
import { nobody, sendCreation, sendTest } from '../hook-calls.ts';
import { creationWorks, firstSubscription } from '../hooks.ts';
import { NotVerified, PromiseBroken, Unreachable } from '../outcomes.ts';
import { sessionToken } from '../session.ts';

const needs: readonly Need[] = [];

/** What every answer looks like. */
export const envelope: readonly Check[] = [
  ...['ENV-1', 'ENV-2', 'ENV-3', 'ENV-4', 'ENV-5', 'ENV-7'].map((requirement) => ({
    id: `${requirement.toLowerCase()}-in-every-answer`,
    requirement,
    needs,
    run: async (context: Context) => {
      await provokeAnswers(context);
      requireEvidence(context, requirement);
      requireNoViolation(context, requirement);
    },
  })),
  {
    id: 'env-6-list-of-sites',
    requirement: 'ENV-6',
    needs: ['account', 'operation:list-sites'],
    run: async (context) => {
      const exchange = await call(context, 'listSites', { token: await sessionToken(context) });
      if (!succeeded(exchange)) throw new NotVerified('the list of sites was refused');
      requireNoViolation(context, 'ENV-6');
      const { list, total } = (exchange.response.json as { data: Partial<List> }).data;
      if (!Array.isArray(list) || typeof total !== 'number')
        throw new PromiseBroken(
          'list (an array) and total (an integer) in data',
          describeAnswer(exchange),
          exchange,
        );
      if (total < list.length)
        throw new PromiseBroken(
          `a total of at least ${list.length}, the length of list`,
          String(total),
          exchange,
        );
    },
  },
];

interface List {
  list: unknown[];
  total: number;
}

/** Mistakes of every kind, so that the envelope is seen on their answers too. None of them creates anything. */
function provokeAnswers(context: Context): Promise<void> {
  return once(context, 'provoked answers', async () => {
    await call(context, 'refresh', { token: null, values: { token: 'none' } });
    if (!context.options.account) return;
    const token = await tokenIfAny(context);
    const siteID = context.siteId ?? nobody;
    const raw = (rawBody: string, headers: Record<string, string> = {}) =>
      tolerant(() => call(context, 'createSubscription', { values: { siteID }, token, rawBody, headers }));
    await raw('{"url": "https://hooks.example.com/x", "events": [');
    await raw('[]');
    await raw('url=https://hooks.example.com', { 'Content-Type': 'application/x-www-form-urlencoded' });
    await raw(JSON.stringify({ padding: 'x'.repeat(2 * 1024 * 1024) }));
    await sendCreation(context, { siteID: nobody }, { token });
    await sendCreation(context, { siteID: nobody }, { token: null });
    await unknownSubscription(context);
  });
}

/** Without a token the answers are refusals of another kind, and have an envelope as well. */
async function tokenIfAny(context: Context): Promise<string | null> {
  try {
    return await sessionToken(context);
  } catch (error) {
    if (error instanceof NotVerified) return null;
    throw error;
  }
}

async function unknownSubscription(context: Context): Promise<void> {
  if (context.siteId === undefined || context.options.tier === 'smoke') return;
  try {
    await creationWorks(context);
    await sendTest(context, { ...(await firstSubscription(context)), siteID: nobody });
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error;
  }
}

/** A deployment may hang up on a body that is too large before it is sent: no answer is no evidence. */
async function tolerant(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
  }
}

/** ENV-2 and ENV-5 are about successes, ENV-3 about failures. */
function requireEvidence({ exchanges }: Context, requirement: string): void {
  const wanted =
    requirement === 'ENV-2' || requirement === 'ENV-5'
      ? 'successful'
      : requirement === 'ENV-3'
        ? 'failed'
        : 'any';
  const evidence = exchanges.filter(
    (exchange) => wanted === 'any' || succeeded(exchange) === (wanted === 'successful'),
  );
  if (evidence.length === 0) throw new NotVerified(`no ${wanted} answer was seen`);
}

function requireNoViolation({ judge }: Context, requirement: string): void {
  const broken = judge.violations.filter((violation) => violation.requirement === requirement);
  const first = broken[0];
  if (!first) return;
  const more = broken.length > 1 ? ` (and in ${broken.length - 1} more answers)` : '';
  throw new PromiseBroken(first.expected, `${first.actual}${more}`, first.exchange);
}
