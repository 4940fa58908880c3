import { gapOf, refusedCall } from '../../calls/profile-calls.ts';
import { listSites } from '../../calls/sites.ts';
import type { Check, Need } from '../../check.ts';
import { alreadyMade, type Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { causeEvents, silence } from '../../events/event-run.ts';
import { publication } from '../../events/publications.ts';
import { type IdempotentWrite, importSameSite, isResultOf, resultOf } from '../../events/repeated-writes.ts';
import { versionOf } from '../../push-receiver/read-push.ts';
import { lateRepeats, pastWindowMs, planLate, repeatAfterWindow } from './late-repetitions.ts';
import { repeatsByOthers } from './repeats-by-others.ts';
import { type IdempotentKind, kinds, needsOf, repetitionOf, requireSame } from './same-result.ts';

const disruptive: readonly Need[] = ['disruptive'];

/** Writes that are repeated within the window, after it, and others. */
export const idempotency: readonly Check[] = [
  ...kinds.map((write) => ({
    id: `${write.requirement.toLowerCase()}-repeated-${nameOf(write)}`,
    requirement: write.requirement,
    needs: needsOf(write),
    run: async (context: Context) => {
      const { first, repeat } = await repetitionOf(context, write.id);
      await requireSame(context, { write, first, repeat, when: 'at once' });
      await requireNoSecond(context, write.id, first);
    },
  })),
  ...kinds.map((write) => ({
    id: `idem-5-different-${nameOf(write)}`,
    requirement: 'IDEM-5',
    needs: needsOf(write),
    run: async (context: Context) => {
      const { first, other } = await repetitionOf(context, write.id);
      if (!other)
        throw new NotVerified(
          `two calls of ${gapOf(context, write.id)} can't be made to differ; put a placeholder into its body`,
        );
      if (!succeeded(other)) throw refusedCall(context, other);
      requireOther(context, { write, first, other });
      const alike = write.id === 'importSite' ? await importSameSite(context) : undefined;
      if (alike?.other && succeeded(alike.other))
        requireOther(context, { write, first: alike.first, other: alike.other });
    },
  })),
  ...kinds.map((write) => ({
    id: `${write.requirement.toLowerCase()}-late-repeats-of-${nameOf(write)}`,
    isFurther: true,
    requirement: write.requirement,
    // Of the ten publishes a minute a safe run takes a few only.
    needs: [...needsOf(write), 'wait:8s', ...(write.id === 'publishSite' ? disruptive : [])] as const,
    prepare: (context: Context) => planLate(context, write.id),
    run: async (context: Context) => {
      const { first, repeats } = await lateRepeats(context, write.id);
      if (repeats.length === 0)
        throw new NotVerified('the calls before took longer than the idempotency window may last');
      for (const [index, repeat] of repeats.entries())
        await requireSame(context, { write, first, repeat, when: lateRepeat[index] ?? 'again' });
    },
  })),
  ...kinds.map((write) => ({
    id: `idem-4-${nameOf(write)}-after-the-window`,
    requirement: 'IDEM-4',
    needs: [...needsOf(write), 'wait:31s'] as const,
    prepare: (context: Context) => planLate(context, write.id),
    run: async (context: Context) => {
      const { first, again } = await repeatAfterWindow(context, write.id);
      if (!succeeded(again)) throw refusedCall(context, again);
      if (isResultOf(context, first, again))
        throw new PromiseBroken(
          `a new result of the same ${write.what} ${pastWindowMs / 1_000} s after the first, however often it was repeated meanwhile`,
          `the first one again, ${JSON.stringify(resultOf(again))}: ${describeAnswer(again)}`,
          again,
        );
    },
  })),
  ...repeatsByOthers,
];

const lateRepeat = ['8 s later, after another one', '8 s later for the second time'];

function nameOf({ what }: IdempotentKind): string {
  return what.replace(' ', '-');
}

interface Different {
  write: IdempotentKind;
  first: Exchange;
  other: Exchange;
}

function requireOther(context: Context, { write, first, other }: Different): void {
  if (isResultOf(context, first, other))
    throw new PromiseBroken(
      `another result of a different ${write.what} within the window`,
      `the same as the first, ${JSON.stringify(resultOf(other))}: ${describeAnswer(other)}`,
      other,
    );
}

/** One site of the name in the list, one push of the version. */
async function requireNoSecond(context: Context, id: IdempotentWrite, first: Exchange): Promise<void> {
  if (id === 'publishSite') await requireOnePush(context, first);
  else await requireOneSite(context, first);
}

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

/** Where pushes are seen: a publish more is a version between those of the run, or another push of the first. */
async function requireOnePush(context: Context, first: Exchange): Promise<void> {
  const kept = (await alreadyMade(context, causeEvents))?.only.get('publish.complete');
  const { other } = await publication(context);
  if (!context.receiver || !kept || kept.error || !other) return;
  await silence(context);
  const pushes = context.receiver
    .pushesTo(kept.value().path)
    .map((push) => ({ push, version: versionOf(push) }));
  const [from, to] = [Number(resultOf(first)), Number(resultOf(other))];
  const between = pushes.find(({ version }) => Number(version) > from && Number(version) < to);
  // A push that comes twice, byte for byte, is one that was delivered twice.
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
