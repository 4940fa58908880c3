import type { Check, Need } from '../check.ts';
import { type Context, once } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../exchange.ts';
import { isRateLimited } from '../expect.ts';
import { NotVerified, PromiseBroken } from '../outcomes.ts';
import { callOwn, callToEnd, gapOf, refusedCall } from '../own-calls.ts';
import { publication } from '../publications.ts';
import { versionOf } from '../read-push.ts';
import {
  type IdempotentWrite,
  importAlike,
  isResultOf,
  isSameResult,
  keyHeader,
  newWrite,
  type Repetition,
  repeatWrite,
  resultOf,
} from '../repetitions.ts';
import { type Scene, silence } from '../scene.ts';
import { listSites } from '../sites.ts';

interface Write {
  id: IdempotentWrite;
  requirement: string;
  operation: Need;
  what: string;
}

const writes: readonly Write[] = [
  { id: 'createSite', requirement: 'IDEM-1', operation: 'operation:create-site', what: 'site creation' },
  { id: 'publishSite', requirement: 'IDEM-2', operation: 'operation:publish-site', what: 'publish' },
  { id: 'importSite', requirement: 'IDEM-3', operation: 'operation:import-site', what: 'import' },
];

/** The longest window that section 8 allows, and a second for the clocks. */
const pastWindowMs = 31_000;

/** Writes that are repeated within the window, after it, and others. */
export const idempotency: readonly Check[] = [
  ...writes.map((write) => ({
    id: `${write.requirement.toLowerCase()}-repeated-${write.what.replace(' ', '-')}`,
    requirement: write.requirement,
    needs: needsOf(write),
    run: async (context: Context) => {
      const { first, repeat } = await repetitionOf(context, write.id);
      await requireSame(context, { write, first, repeat });
      await requireNoSecond(context, write.id, first);
    },
  })),
  ...writes.map((write) => ({
    id: `idem-5-different-${write.what.replace(' ', '-')}`,
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
      const alike = write.id === 'importSite' ? await importAlike(context) : undefined;
      if (alike?.other && succeeded(alike.other))
        requireOther(context, { write, first: alike.first, other: alike.other });
    },
  })),
  ...writes.map((write) => ({
    id: `idem-4-${write.what.replace(' ', '-')}-after-the-window`,
    requirement: 'IDEM-4',
    needs: [...needsOf(write), 'wait:31s'] as const,
    plant: async (context: Context) => {
      await firstOfTwo(context, write.id);
    },
    run: async (context: Context) => {
      const { made, first } = await firstOfTwo(context, write.id);
      await context.clock.waitUntil(first.at + pastWindowMs, 'the end of the idempotency window');
      const again = await callOwn(context, write.id, made);
      if (!succeeded(again)) throw refusedCall(context, again);
      if (isResultOf(context, first, again))
        throw new PromiseBroken(
          `a new result of the same ${write.what} after ${pastWindowMs / 1_000} s`,
          `the first one again, ${JSON.stringify(resultOf(again))}: ${describeAnswer(again)}`,
          again,
        );
    },
  })),
];

function needsOf({ operation, id }: Write): readonly Need[] {
  return id === 'publishSite' ? ['account', 'site', 'creates', operation] : ['account', 'creates', operation];
}

function repetitionOf(context: Context, id: IdempotentWrite): Promise<Repetition> {
  if (id === 'publishSite') return publication(context);
  return once(context, `repeated ${id}`, () => repeatWrite(context, id));
}

/** A write of its own, for the repeats of the others may prolong their window. */
function firstOfTwo(context: Context, id: IdempotentWrite) {
  return once(context, `${id} to be repeated late`, async () => {
    const made = newWrite(context);
    return { made, first: await callToEnd(context, id, made) };
  });
}

interface Different {
  write: Write;
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

interface Same {
  write: Write;
  first: Exchange;
  repeat: Exchange;
}

async function requireSame(context: Context, { write, first, repeat }: Same): Promise<void> {
  if (isRateLimited(context, repeat)) throw refusedCall(context, repeat);
  const isSame = isSameResult(first, repeat);
  if (isSame === undefined)
    throw new NotVerified(
      `the two answers differ, and the profile does not say what to compare; state its pointers in ${gapOf(context, write.id)}`,
    );
  const gap = 'idempotency.repetition';
  if (isSame) return context.observations.agrees(gap, 'as the profile says');
  await requireNotByKey(context, write);
  throw new PromiseBroken(
    `the first result of a ${write.what}, ${JSON.stringify(resultOf(first))}, when it is repeated at once`,
    describeAnswer(repeat),
    repeat,
  );
}

/** What makes a call a repetition is left open: a deployment may go by a key that the profile does not know of. */
async function requireNotByKey(context: Context, { id }: Write): Promise<void> {
  const { profile, observations } = context;
  const gap = 'idempotency.repetition';
  if (profile.values[gap] === 'key-header') return;
  const keyed = { ...newWrite(context), headers: keyHeader(context) };
  const first = await callToEnd(context, id, keyed);
  const repeat = await callOwn(context, id, { ...keyed, mayBeReplayed: true });
  if (isSameResult(first, repeat)) {
    observations.drifts(gap, 'key-header');
    throw new NotVerified(
      `calls are told apart by a key in a header; state ${gap}: key-header in the profile`,
    );
  }
  if (!profile.stated.has(gap))
    throw new NotVerified(
      `a repeated call was taken for a new one; what makes a call a repetition is a gap: state ${gap} (and idempotency.key-header) in the profile`,
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
  const scene = await context.shared.get('event scene');
  const kept = (scene as Scene | undefined)?.only.get('publish.complete');
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
