import { eventNames } from '../../../openapi/event-names.ts';
import { noProfile, type Profile } from '../../../openapi/profile.ts';
import type { ReceiverOptions } from '../receiver-options.ts';
import { runReceiverChecks } from '../run-checks.ts';
import { type Decide, openReceiver, type ReceiverTraits } from './open-receiver.ts';

const secret = 'k3y of the subscription, äöü';

function optionsFor(url: string, wanted: Partial<ReceiverOptions> = {}): ReceiverOptions {
  return {
    url,
    secret,
    profile: noProfile,
    events: eventNames,
    knowsEvents: wanted.events !== undefined,
    site: {},
    only: [],
    skip: [],
    timeoutMs: 1_000,
    ...wanted,
  };
}

/** Runs the checks and returns their ids by outcome. */
export async function outcomesOf(url: string, wanted: Partial<ReceiverOptions> = {}) {
  let selected: number | undefined;
  const onSelected = (count: number) => {
    selected = count;
  };
  const run = await runReceiverChecks(optionsFor(url, wanted), { onSelected });
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
  return {
    name: 'own',
    values: { ...noProfile.values, ...values },
    stated: new Set(Object.keys(values)),
  };
}
