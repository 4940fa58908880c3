import type { CallOptions } from '../../calls/call.ts';
import { isRateLimited } from '../../calls/expect-answer.ts';
import { callProfileOperation, callToEnd, canVary, gapOf, refusedCall } from '../../calls/profile-calls.ts';
import { otherSession } from '../../calls/user-session.ts';
import type { Check } from '../../check.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotApplicable, NotVerified } from '../../core/outcomes.ts';
import {
  isVaried,
  newSite,
  newWrite,
  repetitionOf,
  type SecondWrite,
  writeTwice,
} from '../../events/repeated-writes.ts';
import { changeContentIfNeeded, sendSpaced } from '../../events/spaced-publishes.ts';
import { canTellSites } from '../../events/write-results.ts';
import { makeRoom } from './late-repetitions.ts';
import {
  cannotDiffer,
  nameOf,
  needsOfMore,
  repeatedKinds,
  requireOtherResult,
  requireSame,
} from './same-result.ts';

/** Repeats with an API key, and the same writes by another tenant or on another site. */
export const repeatsByOthers: readonly Check[] = [
  ...repeatedKinds.map<Check>((write) => ({
    id: `${write.requirement.toLowerCase()}-repeated-${nameOf(write)}-with-api-key`,
    isFurther: true,
    requirement: write.requirement,
    needs: needsOfMore(write, 'api-key'),
    run: async (context) => {
      if (!isVaried(context, write.id)) throw cannotDiffer(context, write.id);
      if (write.id === 'publishSite') await makeRoom(context, 2);
      await repetitionOf(context, write.id);
      const made = { ...newWrite(context), token: String(context.options.apiKey) };
      const send = () => callProfileOperation(context, write.id, made);
      const first = write.id === 'publishSite' ? await publishNew(context, send) : await send();
      requireMayCall(context, first);
      const repeat = await callProfileOperation(context, write.id, { ...made, mayBeReplayed: true });
      const tryAgain = (second: SecondWrite) => writeTwice(context, write.id, { second, token: made.token });
      const when = 'immediately, each time with an API key';
      await requireSame(context, { write, first, repeat, when, tryAgain });
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
      const expected = 'a separate result when another tenant makes the same site creation';
      await requireOtherResult(context, { first, other, expected, got: 'the result of the first tenant' });
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
        throw new NotApplicable(`the call of ${gapOf(context, 'publishSite')} does not name a site`);
      const siteID = await newSite(context);
      await makeRoom(context, 2);
      const made = newWrite(context);
      const first = await publishNew(context, () => callProfileOperation(context, 'publishSite', made));
      if (!succeeded(first)) throw refusedCall(context, first);
      if (!canTellSites(first)) throw new NotVerified('the versions of two sites may be the same');
      const values = { ...made.values, siteID };
      const other = await callProfileOperation(context, 'publishSite', { ...made, values });
      const expected = 'a separate result when another site is published in the same way';
      await requireOtherResult(context, { first, other, expected, got: 'the result of the first site' });
    },
  },
];

/** Where a deployment goes by keys, the document does not say what happens to a key on another call. */
function requireWithoutKeys({ profile }: Context): void {
  if (profile.values['idempotency.repetition'] === 'key-header')
    throw new NotApplicable('the deployment distinguishes calls by their keys, not by tenant or site');
}

async function publishNew(context: Context, send: () => Promise<Exchange>): Promise<Exchange> {
  await changeContentIfNeeded(context);
  return sendSpaced(context, send);
}

/** The document lets API keys call the webhook endpoints; other calls may be closed to a key, while the session makes them. */
function requireMayCall(context: Context, first: Exchange): void {
  if (succeeded(first)) return;
  if (isRateLimited(context, first)) throw refusedCall(context, first);
  throw new NotApplicable(
    `the call of ${gapOf(context, first.operation)} accepts the session but not the API key (${describeAnswer(first)}); the document does not promise that it accepts keys`,
  );
}
