import { listSites } from '../../calls/sites.ts';
import type { Check } from '../../check.ts';
import { alreadyMade, type Context } from '../../context.ts';
import { pastIdempotencyWindowMs } from '../../core/documented-limits.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { causeEvents, waitForSilence } from '../../events/event-run.ts';
import { importSameSite, repetitionOf, resultOf } from '../../events/repeated-writes.ts';
import { versionOf } from '../../push-receiver/read-push.ts';
import { lateRepeats, planLate, repeatAfterWindow } from './late-repetitions.ts';
import { repeatsByOthers } from './repeats-by-others.ts';
import {
  cannotDiffer,
  nameOf,
  needsOf,
  needsOfMore,
  repeatedKinds,
  requireOtherResult,
  requireSame,
} from './same-result.ts';

/** Writes that are repeated within the window and after it, and different writes. */
export const idempotency: readonly Check[] = [
  ...repeatedKinds.map<Check>((write) => ({
    id: `${write.requirement.toLowerCase()}-repeated-${nameOf(write)}`,
    requirement: write.requirement,
    needs: needsOf(write),
    run: async (context) => {
      const { first, repeat } = await repetitionOf(context, write.id);
      await requireSame(context, { write, first, repeat, when: 'at once' });
      if (write.id === 'publishSite') await requireOnePush(context, first);
      else await requireOneSite(context, first);
    },
  })),
  ...repeatedKinds.map<Check>((write) => ({
    id: `idem-5-different-${nameOf(write)}`,
    requirement: 'IDEM-5',
    needs: needsOf(write),
    run: async (context) => {
      const { first, other } = await repetitionOf(context, write.id);
      if (!other) throw cannotDiffer(context, write.id);
      const expected = `another result of a different ${write.what} within the window`;
      const got = 'the same as the first';
      requireOtherResult(context, { first, other, expected, got });
      const alike = write.id === 'importSite' ? await importSameSite(context) : undefined;
      if (alike?.other && succeeded(alike.other))
        requireOtherResult(context, { first: alike.first, other: alike.other, expected, got });
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
        throw new NotVerified('the calls before took longer than the idempotency window may last');
      for (const [index, repeat] of repeats.entries())
        await requireSame(context, { write, first, repeat, when: lateRepeat[index] ?? 'again' });
    },
  })),
  ...repeatedKinds.map<Check>((write) => ({
    id: `idem-4-${nameOf(write)}-after-the-window`,
    requirement: 'IDEM-4',
    needs: [...needsOf(write), 'wait:31s'],
    prepare: (context) => planLate(context, write.id),
    run: async (context) => {
      const { first, again } = await repeatAfterWindow(context, write.id);
      const seconds = pastIdempotencyWindowMs / 1_000;
      requireOtherResult(context, {
        first,
        other: again,
        expected: `a new result of the same ${write.what} ${seconds} s after the first, however often it was repeated meanwhile`,
        got: 'the first one again',
      });
    },
  })),
  ...repeatsByOthers,
];

const lateRepeat = ['8 s later, after another one', '8 s later for the second time'];

/** The list has one site of the name. */
async function requireOneSite(context: Context, first: Exchange): Promise<void> {
  const name = context.resources
    .remaining()
    .find(({ what, id }) => what === 'site' && id === resultOf(first))?.target;
  if (name === undefined) return;
  const ids = new Set((await listSites(context)).filter((site) => site.name === name).map((site) => site.id));
  if (ids.size > 1)
    throw new PromiseBroken(
      'one site of a repeated creation',
      `${ids.size} sites of the name ${name}`,
      first,
    );
}

/** Where pushes are seen: an extra publish shows as a version between those of the run, or as another push of the first version. */
async function requireOnePush(context: Context, first: Exchange): Promise<void> {
  const subscription = (await alreadyMade(context, causeEvents))?.only.get('publish.complete');
  const { other } = await repetitionOf(context, 'publishSite');
  if (!context.receiver || !subscription || subscription.error || !other) return;
  await waitForSilence(context);
  const pushes = context.receiver
    .pushesTo(subscription.value().path)
    .map((push) => ({ push, version: versionOf(push) }));
  const [from, to] = [Number(resultOf(first)), Number(resultOf(other))];
  const between = pushes.find(({ version }) => Number(version) > from && Number(version) < to);
  // Two pushes that are the same byte for byte are one push that was delivered twice.
  const ofFirst = new Set(
    pushes
      .filter(({ version }) => version === resultOf(first))
      .map(({ push }) => push.body.toString('latin1')),
  );
  if (between || ofFirst.size > 1)
    throw new PromiseBroken(
      'one publish of a repeated call',
      between
        ? `a push of version ${String(between.version)} too`
        : `${ofFirst.size} pushes of version ${from}`,
      first,
    );
}
