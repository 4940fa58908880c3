// Repeats by another tenant, and writes with long texts that differ at the end alone.
import { callProfileOperation, callToEnd, canVary } from '../../calls/profile-calls.ts';
import { otherSession } from '../../calls/user-session.ts';
import type { Check } from '../../check.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, succeeded } from '../../core/exchange.ts';
import { NotApplicable, NotVerified } from '../../core/outcomes.ts';
import { newWrite, type SecondWrite, type Write, writeTwice } from '../../events/repeated-writes.ts';
import { changeContent, sendSpaced } from '../../events/spaced-publishes.ts';
import { makeRoom } from './late-repetitions.ts';
import {
  type IdempotentKind,
  nameOf,
  needsOfMore,
  repeatedKinds,
  requireOtherResult,
  requireSame,
} from './same-result.ts';

export const furtherRepeats: readonly Check[] = [
  ...repeatedKinds
    .filter(({ id }) => id !== 'publishSite')
    .map<Check>((write) => ({
      id: `${write.requirement.toLowerCase()}-repeated-${nameOf(write)}-of-another-tenant`,
      isFurther: true,
      requirement: write.requirement,
      needs: ['account', 'creates', write.operation, 'other-user'],
      run: async (context) => {
        const { token } = await otherSession(context);
        const by = { token, tenant: 'other' as const };
        const made = { ...newWrite(context), ...by };
        const first = await callToEnd(context, write.id, made);
        const repeat = await callProfileOperation(context, write.id, { ...made, mayBeReplayed: true });
        const tryAgain = (second: SecondWrite) => writeTwice(context, write.id, { second, ...by });
        await requireSame(context, { write, first, repeat, when: 'immediately by another tenant', tryAgain });
      },
    })),
  // A site creation has no text but the name, by which the run knows the site.
  ...repeatedKinds
    .filter(({ id }) => id !== 'createSite')
    .map<Check>((write) => ({
      id: `idem-5-long-${nameOf(write)}`,
      isFurther: true,
      requirement: 'IDEM-5',
      needs: needsOfMore(write),
      run: (context) => requireOtherAfterLong(context, write),
    })),
];

/** The document sets no length, so a deployment may refuse the longer ones. */
const lengths = [20_000, 2_000, 250] as const;

/** What carries a long text. */
const carriers = ['note', 'source'] as const;

async function requireOtherAfterLong(context: Context, write: IdempotentKind): Promise<void> {
  const carrier = carriers.find((name) => canVary(context, write.id, name));
  if (carrier === undefined) throw new NotApplicable('the call has no text field that can be long');
  const isPublish = write.id === 'publishSite';
  if (isPublish) await makeRoom(context, lengths.length + 1);
  const { values } = newWrite(context);
  for (const length of lengths) {
    // Each has a key of its own where the deployment goes by keys.
    const send = async (end: string) => {
      const made = { ...newWrite(context), values: withLong(values, { carrier, length, end }) };
      const call = () => callProfileOperation(context, write.id, made);
      if (!isPublish) return call();
      // Without a change, another publish may have the version that there is.
      if (!(await changeContent(context)))
        throw new NotApplicable('the run cannot change the content of the site');
      return sendSpaced(context, call);
    };
    const first = await send('a');
    if (!succeeded(first)) continue;
    const other = await send('b');
    if (isPublish && !succeeded(other))
      throw new NotApplicable(`another publish is refused at this moment (${describeAnswer(other)})`);
    return requireOtherResult(context, {
      first,
      other,
      expected: `a different result for a ${write.what} whose ${carrier} differs only in its last character (character ${length})`,
      got: 'the first result',
    });
  }
  throw new NotVerified(
    `the deployment accepts no ${write.what} with a ${carrier} of ${lengths.at(-1)} characters or more`,
  );
}

interface Long {
  carrier: (typeof carriers)[number];
  length: number;
  end: string;
}

function withLong(values: Write['values'], { carrier, length, end }: Long): Write['values'] {
  const start = `${values[carrier]}${carrier === 'source' ? '?x=' : ' '}`;
  return { ...values, [carrier]: `${start.padEnd(length - 1, 'x')}${end}` };
}
