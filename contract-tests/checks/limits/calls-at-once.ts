// Calls that come at the same time: a limit that looks before it counts lets too many of them through.
import type { Context } from '../../context.ts';
import { perMinute, windowMs } from '../../core/documented-limits.ts';
import { areAlike, describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { isGeneral, mostWithin } from './burst.ts';
import type { Limited } from './limited-calls.ts';
import { type Measure, waitQuiet } from './measure-limit.ts';

/** A few more than a limit lets through. */
const count = perMinute + 2;
/** Each time begins this much later in the minute than the one before. */
const shiftMs = 20_000;

/** How many calls should be let through where calls of before still count. */
const room = 3;
/** By then a limit that lets one call through every six seconds lets one through. */
const refilledMs = 6_300;

interface Volley {
  accepted: Exchange[];
  refused: Exchange[];
  ms: number;
}

/** Throws PromiseBroken where more calls than ten are let through that come at the same time, twice. */
export async function requireLimitAtOnce(
  context: Context,
  limited: Limited,
  { startedAt, refusesMore, refusal, isPaced }: Measure,
): Promise<void> {
  if (!refusesMore || !refusal) throw new NotVerified(`sequential ${limited.what} show no limit`);
  const { clock } = context;
  const refilledAt = isPaced ? clock.now() + refilledMs : 0;
  await clock.waitUntil(Math.max(startedAt + windowMs, refilledAt), `the limit of ${limited.what} to end`);
  let first = await sendAtOnce(context, limited);
  if (first.accepted.length === 0) {
    await waitForRoom(context, limited, clock.now() - first.ms);
    first = await sendAtOnce(context, limited);
  }
  if (!isTooMany(first)) return requireRefusal(limited, first, refusal);
  // A window may have ended meanwhile; it does not end at every moment of the minute.
  await waitQuiet(context, limited, shiftMs);
  const second = await sendAtOnce(context, limited);
  if (!isTooMany(second)) return requireRefusal(limited, second, refusal);
  const text = `${first.accepted.length} and then ${second.accepted.length} of ${count} succeeded`;
  const expected = `a refusal of more than ${perMinute} simultaneous ${limited.what} a minute`;
  throw new PromiseBroken(expected, text, second.accepted.at(-1));
}

/** Waits until calls that were sent before a time leave room for others; no quiet minute is needed to see too many of them. */
async function waitForRoom({ clock }: Context, { what, recent }: Limited, before: number): Promise<void> {
  const times = recent().filter((time) => time < before);
  // Fewer calls leave room: something else is the reason of the refusals, such as a lock.
  const blocking = times.length < perMinute ? undefined : times.at(times.length - perMinute + room - 1);
  if (blocking !== undefined) await clock.waitUntil(blocking + windowMs, `the limit of ${what} to end`);
}

async function sendAtOnce({ clock }: Context, limited: Limited): Promise<Volley> {
  const startedAt = clock.now();
  const sent = await Promise.allSettled(Array.from({ length: count }, () => limited.send()));
  const lost = sent.find(({ status }) => status === 'rejected');
  if (lost?.status === 'rejected') throw lost.reason;
  const answers = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return {
    // Those of a site without changes may not count.
    accepted: answers
      .filter(succeeded)
      .filter((one, at, all) => !all.slice(0, at).some((other) => limited.isUnchanged(one, other))),
    refused: answers.filter((answer) => !succeeded(answer)),
    ms: clock.now() - startedAt,
  };
}

function isTooMany({ accepted, ms }: Volley): boolean {
  return accepted.length > mostWithin(ms);
}

/** Throws NotVerified where the calls were refused for another reason than the limit, which they may not have reached. */
async function requireRefusal(
  limited: Limited,
  { accepted, refused }: Volley,
  like: Exchange,
): Promise<void> {
  const [other] = refused.filter((answer) => !areAlike(answer, like));
  if (other)
    throw new NotVerified(
      `one of ${count} simultaneous ${limited.what} was refused for another reason (${describeAnswer(other)})`,
    );
  if (refused.length === 0 || accepted.length === 0)
    throw new NotVerified(`${accepted.length} of ${count} simultaneous ${limited.what} succeeded`);
  if (await isGeneral(limited, like))
    throw new NotVerified(`a call without a limit is refused as well (${describeAnswer(like)})`);
}
