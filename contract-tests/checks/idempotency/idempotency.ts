import type { Check } from '../../check.ts';
import { succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { importSameSite, repetitionOf, type SecondWrite, writeTwice } from '../../events/repeated-writes.ts';
import { isResultOf } from '../../events/write-results.ts';
import { furtherRepeats } from './further-repeats.ts';
import { lateRepeats, planLate, repeatAfterWindow, writeTwiceLate } from './late-repetitions.ts';
import { requireOnePush, requireOneSite } from './one-result.ts';
import { repeatsAtOnce } from './repeats-at-once.ts';
import { repeatsByOthers } from './repeats-by-others.ts';
import {
  cannotDiffer,
  nameOf,
  needsOf,
  needsOfMore,
  repeatedKinds,
  requireNotByRequest,
  requireOtherResult,
  requireSame,
} from './same-result.ts';
import { requireNotVersionThereIs, requireOtherVersion } from './unchanged-publishes.ts';

/** Writes that are repeated within the window and after it, and different writes. */
export const idempotency: readonly Check[] = [
  ...repeatedKinds.map<Check>((write) => ({
    id: `${write.requirement.toLowerCase()}-repeated-${nameOf(write)}`,
    requirement: write.requirement,
    needs: needsOf(write),
    run: async (context) => {
      const { made, first, repeat } = await repetitionOf(context, write.id);
      const tryAgain = (second: SecondWrite) => writeTwice(context, write.id, { second });
      await requireSame(context, { write, first, repeat, when: 'immediately', tryAgain });
      if (write.id === 'publishSite') await requireOnePush(context, first);
      else await requireOneSite(context, first, made.values.name);
    },
  })),
  ...repeatedKinds.map<Check>((write) => ({
    id: `idem-5-different-${nameOf(write)}`,
    requirement: 'IDEM-5',
    needs: needsOf(write),
    run: async (context) => {
      const { first, other } = await repetitionOf(context, write.id);
      if (!other) throw cannotDiffer(context, write.id);
      if (succeeded(other) && isResultOf(context, first, other)) {
        requireNotByRequest(context, write.id);
        if (write.id === 'publishSite') return requireOtherVersion(context);
      }
      const expected = `a different result for a different ${write.what} within the window`;
      const got = 'the first result';
      await requireOtherResult(context, { first, other, expected, got });
      const alike = write.id === 'importSite' ? await importSameSite(context) : undefined;
      if (alike?.other && succeeded(alike.other))
        await requireOtherResult(context, { first: alike.first, other: alike.other, expected, got });
    },
  })),
  ...repeatedKinds.map<Check>((write) => ({
    id: `${write.requirement.toLowerCase()}-late-repeats-of-${nameOf(write)}`,
    isFurther: true,
    requirement: write.requirement,
    needs: needsOfMore(write, 'wait:8s'),
    prepare: (context) => planLate(context, write.id),
    run: async (context) => {
      const { first, repeats } = await lateRepeats(context, write.id);
      if (repeats.length === 0)
        throw new NotVerified('the previous calls took longer than the longest idempotency window');
      for (const [index, repeat] of repeats.entries()) {
        const tryAgain = (second: SecondWrite) => writeTwiceLate(context, write.id, { second, index });
        await requireSame(context, { write, first, repeat, when: lateRepeat[index] ?? 'again', tryAgain });
      }
    },
  })),
  ...repeatedKinds.map<Check>((write) => ({
    id: `idem-4-${nameOf(write)}-after-the-window`,
    requirement: 'IDEM-4',
    needs: [...needsOf(write), 'wait:31s'],
    prepare: (context) => planLate(context, write.id),
    run: async (context) => {
      const { first, again } = await repeatAfterWindow(context, write.id);
      await requireNotVersionThereIs(context, first, again);
      await requireOtherResult(context, {
        first,
        other: again,
        expected: `a new result for the same ${write.what} 31 s after the first answer, regardless of repeats in between`,
        got: 'the first result again',
      });
    },
  })),
  ...repeatsAtOnce,
  ...repeatsByOthers,
  ...furtherRepeats,
];

const lateRepeat = ['8 s later, after another one', '8 s later for the second time'];
