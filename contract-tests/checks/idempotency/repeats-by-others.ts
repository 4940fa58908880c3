import type { CallOptions } from '../../calls/call.ts';
import { callProfileOperation, callToEnd, canVary, gapOf, refusedCall } from '../../calls/profile-calls.ts';
import { otherSession } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import {
  canTellSites,
  isResultOf,
  isVaried,
  newSite,
  newWrite,
  resultOf,
} from '../../events/repeated-writes.ts';
import { makeRoom } from './late-repetitions.ts';
import { type IdempotentKind, kinds, needsOf, requireSame } from './same-result.ts';

/** Repeats with an API key, and writes that are the same but for whose they are or where they go. */
export const repeatsByOthers: readonly Check[] = [
  ...kinds.map((write) => ({
    id: `${write.requirement.toLowerCase()}-repeated-${write.what.replace(' ', '-')}-with-api-key`,
    isFurther: true,
    requirement: write.requirement,
    needs: needsByKey(write),
    run: async (context: Context) => {
      if (!isVaried(context, write.id))
        throw new NotVerified(
          `two calls of ${gapOf(context, write.id)} can't be made to differ; put a placeholder into its body`,
        );
      if (write.id === 'publishSite') await makeRoom(context, 2);
      const made = { ...newWrite(context), token: String(context.options.apiKey) };
      const first = await callToEnd(context, write.id, made);
      const repeat = await callProfileOperation(context, write.id, { ...made, mayBeReplayed: true });
      await requireSame(context, { write, first, repeat, when: 'at once, each time with an API key' });
    },
  })),
  {
    id: 'idem-5-site-creation-of-another-tenant',
    isFurther: true,
    requirement: 'IDEM-5',
    needs: ['account', 'creates', 'operation:create-site', 'other-user'],
    run: async (context) => {
      requireWithoutKeys(context);
      const made = newWrite(context);
      const { token } = await otherSession(context);
      const first = await callToEnd(context, 'createSite', made);
      const theirs: CallOptions = { token, tenant: 'other' };
      const other = await callProfileOperation(context, 'createSite', { ...made, ...theirs });
      if (!succeeded(other)) throw refusedCall(context, other);
      if (isResultOf(context, first, other))
        throw new PromiseBroken(
          'a result of its own when another tenant makes the same site creation',
          `that of the first tenant, ${JSON.stringify(resultOf(other))}: ${describeAnswer(other)}`,
          other,
        );
    },
  },
  {
    id: 'idem-5-publish-of-another-site',
    isFurther: true,
    requirement: 'IDEM-5',
    needs: ['account', 'site', 'creates', 'operation:publish-site', 'operation:create-site', 'disruptive'],
    run: async (context) => {
      requireWithoutKeys(context);
      if (!canVary(context, 'publishSite', 'siteID'))
        throw new NotVerified(`the call of ${gapOf(context, 'publishSite')} does not name a site`);
      const siteID = await newSite(context);
      await makeRoom(context, 2);
      const made = newWrite(context);
      const first = await callToEnd(context, 'publishSite', made);
      if (!canTellSites(first)) throw new NotVerified('the versions of two sites may be the same');
      const values = { ...made.values, siteID };
      const other = await callProfileOperation(context, 'publishSite', { ...made, values });
      if (!succeeded(other)) throw refusedCall(context, other);
      if (isResultOf(context, first, other))
        throw new PromiseBroken(
          'a result of its own when another site is published in the same way',
          `that of the first site, ${JSON.stringify(resultOf(other))}: ${describeAnswer(other)}`,
          other,
        );
    },
  },
];

/** Where calls are told apart by keys, what becomes of a key that comes with another call is left open. */
function requireWithoutKeys({ profile }: Context): void {
  if (profile.values['idempotency.repetition'] === 'key-header')
    throw new NotVerified('calls are told apart by their keys, not by whose they are or where they go');
}

/** Publishes are few. */
function needsByKey(write: IdempotentKind): readonly Need[] {
  const needs: readonly Need[] = [...needsOf(write), 'api-key'];
  return write.id === 'publishSite' ? [...needs, 'disruptive'] : needs;
}
