import { eventNames } from '../../../openapi/event-names.ts';
import { makeProfile, noProfile, type Profile } from '../../../openapi/profile.ts';
import type { ReceiverOptions } from '../receiver-options.ts';
import { runReceiverChecks } from '../run-checks.ts';
import { type Decide, openReceiver, type ReceiverTraits } from './open-receiver.ts';

const secret = 'k3y of the subscription, äöü';

/** Runs the checks and returns their ids by outcome. */
export async function outcomesOf(url: string, wanted: Partial<ReceiverOptions> = {}) {
  let selected: number | undefined;
  const onSelected = (count: number) => {
    selected = count;
  };
  const usual = { secret, profile: noProfile, events: eventNames, site: {}, only: [], skip: [] };
  const knowsEvents = wanted.events !== undefined;
  const run = await runReceiverChecks(
    { url, ...usual, knowsEvents, timeoutMs: 1_000, ...wanted },
    { onSelected },
  );
  const of = (outcome: string) =>
    run.results.filter(({ result }) => result.outcome === outcome).map(({ result }) => result.id);
  return {
    run,
    selected,
    failed: of('failed'),
    passed: of('passed'),
    notVerified: of('not-verified'),
    warned: (run.warnings ?? []).map(({ id }) => id),
  };
}

/** Runs the checks against a receiver in this process. */
export async function judge(
  decide: Decide,
  wanted: Partial<ReceiverOptions> = {},
  traits: Omit<ReceiverTraits, 'secret'> = {},
) {
  await using receiver = await openReceiver(decide, { secret, ...traits });
  return await outcomesOf(receiver.url, wanted);
}

export function profileWith(values: Partial<Profile['values']>): Profile {
  return makeProfile(values, { name: 'own', source: 'test' });
}
