// Writes that are repeated within the idempotency window, and once more after it.

import { callProfileOperation, refusedCall } from '../../calls/profile-calls.ts';
import { type Context, once } from '../../context.ts';
import { pastIdempotencyWindowMs, perMinute, windowMs } from '../../core/documented-limits.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { type Settled, settle } from '../../core/settled.ts';
import {
  type IdempotentWrite,
  isVaried,
  newWrite,
  type SecondWrite,
  type Write,
} from '../../events/repeated-writes.ts';
import { changeContentIfNeeded, sendSpaced } from '../../events/spaced-publishes.ts';
import { cannotDiffer } from './same-result.ts';

/** Two seconds before the end of the shortest window that section 8 allows. */
const lateMs = 8_000;
/** A repeat that is sent before this arrives within that window, counted from the first request. */
const tooLateMs = 9_200;
/** A window that the earlier repeats renewed has not ended by then, unless it is one of the shortest. */
const prolongedMs = 20_500;
/** How many of the ten publishes a minute a late repetition needs. */
const publishes = 7;

interface LateWrite {
  made: Write;
  first: Exchange;
  /** The same write twice, eight seconds after the first and with another write in between; empty where there was no time for it. */
  repeats: Exchange[];
}

type Writes = ReadonlyMap<IdempotentWrite, Settled<LateWrite>>;

/** Plans a write that the run repeats late, so that the run waits once for all of them. */
export async function planLate(context: Context, id: IdempotentWrite): Promise<void> {
  (await once(context, planWrites)).add(id);
}

/** A write, and its repeats within the window. */
export async function lateRepeats(context: Context, id: IdempotentWrite): Promise<LateWrite> {
  await planLate(context, id);
  return plannedOf(await once(context, repeatWithinWindow), id).value();
}

/** Makes a new write and, as late, others: the same, or each another one. Returns the answer to the first of them (0) or the second (1). */
export async function writeTwiceLate(
  context: Context,
  id: IdempotentWrite,
  { second, index }: { second: SecondWrite; index: number },
): Promise<Exchange> {
  const { repeats } = await repeatTwice(context, id, await beginBeforeAnother(context, id), second);
  const repeat = repeats[index];
  if (repeat) return repeat;
  throw new NotVerified('the calls took longer than the longest idempotency window');
}

/** The same write once more after the window, however often it was repeated meanwhile. */
export async function repeatAfterWindow(
  context: Context,
  id: IdempotentWrite,
): Promise<{ first: Exchange; again: Exchange }> {
  const { first } = await lateRepeats(context, id);
  return { first, again: plannedOf(await once(context, repeatPastWindow), id).value() };
}

async function planWrites(): Promise<Set<IdempotentWrite>> {
  return new Set();
}

async function repeatWithinWindow(context: Context): Promise<Writes> {
  const planned = [...(await once(context, planWrites))];
  if (planned.includes('publishSite')) await makeRoom(context, publishes);
  const writes = new Map<IdempotentWrite, Settled<LateWrite>>();
  for (const id of planned) writes.set(id, await settle(() => beginBeforeAnother(context, id)));
  const missed: IdempotentWrite[] = [];
  for (const [id, write] of writes) {
    if (write.error) continue;
    writes.set(id, await settle(() => repeatTwice(context, id, write.value())));
    if (isMissed(writes.get(id))) missed.push(id);
  }
  // Where the calls of one kind take seconds, the others come too late: each is made again alone.
  for (const id of missed)
    writes.set(id, await settle(async () => repeatTwice(context, id, await begin(context, id))));
  return writes;
}

function isMissed(write: Settled<LateWrite> | undefined): boolean {
  return write !== undefined && !write.error && write.value().repeats.length === 0;
}

async function beginBeforeAnother(context: Context, id: IdempotentWrite): Promise<LateWrite> {
  const write = await begin(context, id);
  if (isVaried(context, id)) await settle(() => callProfileOperation(context, id, newWrite(context)));
  return write;
}

async function begin(context: Context, id: IdempotentWrite): Promise<LateWrite> {
  if (!isVaried(context, id)) await outlastWindow(context, id);
  if (id === 'publishSite') await changeContentIfNeeded(context);
  const made = newWrite(context);
  const send = () => callProfileOperation(context, id, made);
  const first = id === 'publishSite' ? await sendSpaced(context, send) : await send();
  if (!succeeded(first)) throw refusedCall(context, first);
  return { made, first, repeats: [] };
}

/** Where all writes of a kind are alike, the first must not be a repeat of one that was made before. */
async function outlastWindow(context: Context, id: IdempotentWrite): Promise<void> {
  const last = context.exchanges.findLast(({ operation }) => operation === id);
  if (!last) return;
  if (!context.clock.isMoved && context.options.maxWaitMs < pastIdempotencyWindowMs)
    throw cannotDiffer(context, id);
  await context.clock.waitUntil(
    last.answeredAt + pastIdempotencyWindowMs,
    'the end of the idempotency window',
  );
}

/** Stops where other calls took so long that a repeat would come too late. */
async function repeatTwice(
  context: Context,
  id: IdempotentWrite,
  write: LateWrite,
  second: SecondWrite = 'same',
): Promise<LateWrite> {
  const { first, repeats } = write;
  await context.clock.waitUntil(first.at + lateMs, 'a repeat within the idempotency window');
  while (repeats.length < 2 && context.clock.now() < first.at + tooLateMs)
    repeats.push(
      await callProfileOperation(
        context,
        id,
        second === 'same' ? { ...write.made, mayBeReplayed: true } : newWrite(context),
      ),
    );
  return write;
}

/** Counts the window from the first answer, since a slow call may do so. */
async function repeatPastWindow(context: Context): Promise<ReadonlyMap<IdempotentWrite, Settled<Exchange>>> {
  const writes = [...(await once(context, repeatWithinWindow))].filter(([, write]) => !write.error);
  const send = async (id: IdempotentWrite, write: Settled<LateWrite>) =>
    callProfileOperation(context, id, { ...write.value().made, mayBeReplayed: true });
  for (const [id, write] of writes) {
    await context.clock.waitUntil(write.value().first.at + prolongedMs, 'the idempotency window');
    // So that there is something new to publish, and time for it to be seen: now where the window has ended, or at last.
    if (id === 'publishSite') await changeContentIfNeeded(context);
    await settle(() => send(id, write));
    if (id === 'publishSite') await changeContentIfNeeded(context);
  }
  const ends = new Map<IdempotentWrite, Settled<Exchange>>();
  for (const [id, write] of writes) {
    const { answeredAt } = write.value().first;
    await context.clock.waitUntil(answeredAt + pastIdempotencyWindowMs, 'the end of the idempotency window');
    ends.set(id, await settle(() => send(id, write)));
  }
  return ends;
}

/** Only ten publishes a minute are allowed: where there is time, waits until those of the last minute no longer count. */
export async function makeRoom(context: Context, count: number): Promise<void> {
  const { clock, exchanges, options } = context;
  const times = exchanges
    .filter(({ operation }) => operation === 'publishSite' || operation === 'failPublish')
    .map(({ at }) => at)
    .filter((time) => time > clock.now() - windowMs);
  const blocking = times.at(times.length + count - perMinute - 1);
  if (times.length + count <= perMinute || blocking === undefined) return;
  if (!clock.isMoved && options.maxWaitMs < windowMs) return;
  await clock.waitUntil(blocking + windowMs, 'room for more publishes in this minute');
}

function plannedOf<T>(all: ReadonlyMap<IdempotentWrite, Settled<T>>, id: IdempotentWrite): Settled<T> {
  const write = all.get(id);
  if (write) return write;
  throw new NotVerified('the first write came too late to be repeated near the end of the window');
}
