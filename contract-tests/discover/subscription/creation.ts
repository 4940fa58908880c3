import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { exampleUrl } from '../../subscriptions/subscription-calls.ts';
import { sendCreation, urlOf } from '../ask/create.ts';
import { explainUnexpectedAnswer, hasEnvelope, isRefused, noteRefusal } from '../ask/refusals.ts';
import { fields, type Names, type Sent, sendNames } from '../names/follow-refusals.ts';
import { searchNames } from '../names/search.ts';
import { type Probe, receiverOf } from '../probe.ts';

export const fieldGaps = fields.map((field) => `subscription.request.${field}`);

interface Found {
  names: Names;
  /** The creation that passed with these names. */
  created?: Sent | undefined;
}

/** Finds the names of the three required fields; undefined if it does not. */
export async function probeCreation(probe: Probe): Promise<Found | undefined> {
  const { findings } = probe;
  const empty = await sendCreation(probe, {});
  // The request already waited for the rate limit.
  if (!hasEnvelope(empty) || empty.response.status === 429) {
    const { message } = explainUnexpectedAnswer(probe, empty, 'the creation of a subscription');
    findings.missed(fieldGaps, message);
    return undefined;
  }
  noteRefusal(probe, 'invalid-request', empty);
  const found = (await useGivenNames(probe)) ?? (await findNames(probe, empty));
  if (!found) return undefined;
  const evidence = `a creation with the fields ${Object.values(found.names).join(', ')} passed`;
  for (const field of fields) findings.found(`subscription.request.${field}`, found.names[field], evidence);
  return found;
}

const atReceiver = (probe: Probe) => ({ probe, urlOf: (path: string) => urlOf(probe, path) });
/** A deployment may accept only https or public hosts, and refuse the receiver. */
const atNobody = (probe: Probe) => ({ probe, urlOf: exampleUrl });

/** Tries given names only to see if the deployment accepts the receiver's address. */
async function useGivenNames(probe: Probe): Promise<Found | undefined> {
  const [url, events, channel] = fieldGaps.map((gap) => probe.findings.value(gap));
  if (typeof url !== 'string' || typeof events !== 'string' || typeof channel !== 'string') return undefined;
  const names = { url, events, channel };
  const created = await sendNames(atReceiver(probe), names);
  if (succeeded(created.exchange)) return { names, created };
  if (!receiverOf(probe) || !isRefused(created.exchange)) return { names };
  const elsewhere = await sendNames(atNobody(probe), names);
  if (!succeeded(elsewhere.exchange)) return { names };
  giveUpReceiver(probe, created.exchange);
  return { names, created: elsewhere };
}

async function findNames(probe: Probe, empty: Exchange): Promise<Found | undefined> {
  const { names, created, refusal = empty } = await searchNames(atReceiver(probe), empty);
  if (names) return { names, created };
  if (receiverOf(probe) && isRefused(refusal)) {
    const elsewhere = await searchNames(atNobody(probe), empty);
    if (elsewhere.names) giveUpReceiver(probe, refusal);
    if (elsewhere.names) return { names: elsewhere.names, created: elsewhere.created };
  }
  const reason = `no creation with likely field names passed; last answer: ${describeAnswer(refusal)}; state the names in a profile if you know them`;
  probe.findings.missed(fieldGaps, reason);
  return undefined;
}

function giveUpReceiver({ pushes }: Probe, refusal: Exchange): void {
  pushes.unreached = `the deployment refuses the receiver's URL; pass one that it accepts with --receiver-url (a creation with ${pushes.receiver?.urlOf('/…')} got ${describeAnswer(refusal)}; one with https://hooks.example.com/… passed)`;
}
