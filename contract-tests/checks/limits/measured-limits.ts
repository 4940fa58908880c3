// The limits of one run: each is measured once, and what takes long is done for all of them at the same time.
import { keepSessionsYoung } from '../../calls/user-session.ts';
import { unmetWait } from '../../calls/wait-budget.ts';
import { alreadyMade, type Context, once } from '../../context.ts';
import type { Exchange } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { type Settled, settle } from '../../core/settled.ts';
import type { Burst } from './burst.ts';
import { isFew, isPlain } from './compare-bursts.ts';
import { callTooEarly, trialMs, tryHalfway } from './limit-span.ts';
import { callsOf, type LimitedId } from './limited-calls.ts';
import { canWait, firstBurst, type Measure, measureLimit, waitQuiet } from './measure-limit.ts';
import { type Meanwhile, spreadAfterBursts } from './spread-calls.ts';

/** Plans to measure a limit, so that the run waits once for all that it measures. */
export async function planLimit(context: Context, id: LimitedId): Promise<void> {
  (await once(context, plannedLimits)).add(id);
}

async function plannedLimits(): Promise<Set<LimitedId>> {
  return new Set();
}

/** The first burst of a limit; it is sent once a run. */
export function beginLimit(context: Context, id: LimitedId): Promise<Burst> {
  return once(context, sendFirstBurst, id);
}

/** All limits that are measured have their quiet minute before the first burst of any, so that their minutes are the same. */
async function sendFirstBurst(context: Context, id: LimitedId): Promise<Burst> {
  await once(context, waitUntilAllAreQuiet);
  return firstBurst(context, callsOf(context, id));
}

async function waitUntilAllAreQuiet(context: Context): Promise<void> {
  if (!canWait(context)) return;
  await keepSessionsYoung(context);
  for (const id of await once(context, plannedLimits)) {
    const { error, value } = await settle(async () => callsOf(context, id));
    if (!error && value().recent().length > 0) await waitQuiet(context, value());
  }
}

/** A limit, measured once a run. */
export function limitOf(context: Context, id: LimitedId): Promise<Measure> {
  return once(context, measureOperation, id);
}

async function measureOperation(context: Context, id: LimitedId): Promise<Measure> {
  await planLimit(context, id);
  return measureLimit(context, callsOf(context, id), {
    first: await beginLimit(context, id),
    isSpreadTaken: async () => (await once(context, spreadAll)).taken.get(id) ?? false,
  });
}

/** A limit that refuses calls. Throws NotVerified where none was refused. */
export async function requireLimit(context: Context, id: LimitedId): Promise<Measure> {
  const found = await limitOf(context, id);
  if (!found.refusesMore || !found.refusal) throw new NotVerified('none was refused for its rate');
  return found;
}

/**
 * The answer to a call that a limit let through before its minute was over; undefined where there was none. Where time is waited for,
 * all limits are tried at once, since that can take minutes.
 */
export async function earlyCallOf(context: Context, id: LimitedId): Promise<Exchange | undefined> {
  const tried = context.clock.isMoved ? undefined : (await once(context, tryAll)).get(id);
  return tried ? tried.value() : tryLimit(context, id);
}

async function tryAll(context: Context): Promise<ReadonlyMap<LimitedId, Trial>> {
  const ids = [...(await once(context, plannedLimits))];
  for (const id of ids) await settle(() => limitOf(context, id));
  const trial = async (id: LimitedId) => [id, await settle(() => tryLimit(context, id))] as const;
  return new Map(await Promise.all(ids.map(trial)));
}

async function tryLimit(context: Context, id: LimitedId): Promise<Exchange | undefined> {
  const measured = await requireLimit(context, id);
  const first = (await alreadyMade(context, spreadAll))?.trials.get(id);
  return callTooEarly(context, callsOf(context, id), { measured, first });
}

type Trial = Settled<Exchange | undefined>;

interface Spread {
  /** Whether ten calls are let through that are spread. */
  taken: ReadonlyMap<LimitedId, boolean>;
  trials: ReadonlyMap<LimitedId, Trial>;
}

/** Where some limits let few calls through at once, their calls are spread over the same minute; the others are tried half a minute later. */
async function spreadAll(context: Context): Promise<Spread> {
  const few: { id: LimitedId; burst: Burst }[] = [];
  const trials = new Map<LimitedId, Trial>();
  const meanwhile: Meanwhile[] = [];
  for (const id of await once(context, plannedLimits)) {
    const { error, value } = await settle(() => beginLimit(context, id));
    if (error || value().hidden !== undefined) continue;
    const limited = callsOf(context, id);
    const burst = value();
    if (isFew(burst)) few.push({ id, burst });
    else if (isPlain(burst) && !unmetWait('1m', context)) {
      const run = async () => trials.set(id, await settle(() => tryHalfway(context, limited, burst)));
      meanwhile.push({ at: burst.startedAt + trialMs, what: `half a minute of ${limited.what}`, run });
    }
  }
  const kinds = few.map(({ id, burst }) => ({ limited: callsOf(context, id), burst }));
  const taken = await spreadAfterBursts(context, kinds, meanwhile);
  return { taken: new Map(few.map(({ id }, index) => [id, taken[index] ?? false])), trials };
}
