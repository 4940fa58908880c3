// When the login limit is over.
import type { Context } from '../../context.ts';
import { perMinute, windowMs } from '../../core/documented-limits.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { requireLimited, sendBurst } from './burst.ts';
import { callsOf, type Limited } from './limited-calls.ts';
import { waitQuiet } from './measure-limit.ts';
import { limitOf } from './measured-limits.ts';

/** What lasts until then is a lock: what follows the refusal of a call too many is not shown. */
const lockMs = 92_000;
/** How often a limit is seen to last longer than a minute before it fails: others may use up some of the logins. */
const looks = 2;

/** Throws PromiseBroken where a tenant can't log in again a minute after it reached the limit. */
export async function requireEnd(context: Context): Promise<void> {
  const { clock } = context;
  const limited = callsOf(context, 'login');
  const found = await limitOf(context, 'login');
  if (!found.refusal) throw new NotVerified('no login was refused for its rate; see LIMIT-2');
  // One login every six seconds was let through.
  if (found.isPaced) return;
  const isInTime = clock.now() < found.startedAt + windowMs;
  // Refused logins may count or not: the minute begins with the first login that was let through.
  await clock.waitUntil(found.startedAt + windowMs, 'the minute of the login limit to end');
  if (succeeded(await limited.send())) return;
  const startedAt = isInTime ? found.startedAt : await useUp(context, limited);
  await clock.waitUntil(startedAt + windowMs, 'the minute of the login limit to end');
  if (!isInTime && succeeded(await limited.send())) return;
  await clock.waitUntil(startedAt + lockMs, 'a login to succeed again');
  const late = await limited.send();
  if (!succeeded(late)) throw lockedLonger(context, late);
  const early = await refusedInNextMinute(context, limited);
  if (early) throw new PromiseBroken('a login to succeed again a minute later', describeAnswer(early), early);
  throw lockedLonger(context, late);
}

/** Uses the limit up once more, where other checks have done so since. Returns when that began. */
async function useUp(context: Context, limited: Limited): Promise<number> {
  await waitQuiet(context, limited);
  const burst = await sendBurst(context, limited);
  requireLimited(context, limited, burst);
  if (!burst.refusal) throw new NotVerified('no login was refused for its rate');
  return burst.startedAt;
}

/**
 * Tells a limit that lasts longer than a minute from a lock after too many calls: nine logins, and two in the minute after, never exceed
 * it. Returns the refusal, where one was seen each time.
 */
async function refusedInNextMinute(context: Context, limited: Limited): Promise<Exchange | undefined> {
  let refused: Exchange | undefined;
  for (let look = 0; look < looks; look++) {
    await waitQuiet(context, limited);
    for (let count = 1; count < perMinute; count++) if (!succeeded(await limited.send())) return undefined;
    await waitQuiet(context, limited);
    const answers = [await limited.send(), await limited.send()];
    refused = answers.find((answer) => !succeeded(answer));
    if (!refused) return undefined;
  }
  return refused;
}

function lockedLonger({ remarks }: Context, answer: Exchange): NotVerified {
  remarks.add('locked-longer', `a login a minute after the limit was reached: ${describeAnswer(answer)}`);
  return new NotVerified(
    'logins stay refused for longer than a minute after one too many, which looks like a lock, so the end of the limit cannot be seen',
  );
}
