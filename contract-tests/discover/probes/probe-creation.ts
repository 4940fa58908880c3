// The names of the fields in the request for a subscription.
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { nextPath, noteRefusal, type Probe, reportProgress, urlOf } from '../discovery-probe.ts';
import { searchNames } from '../names/creation-names.ts';
import { fields, type Names } from '../names/required-fields.ts';
import { hasEnvelope, isRefused } from '../refusals.ts';
import { plainEvents, sendCreation } from '../send-creation.ts';
import { explainUnexpectedAnswer } from '../unexpected-answer.ts';

export const fieldGaps = fields.map((field) => `subscription.request.${field}`);

/** Finds the names of the three fields that every creation needs. Returns whether they were found. */
export async function probeCreation(probe: Probe): Promise<boolean> {
  reportProgress(probe, 'looking for the names in the request for a subscription');
  const { findings } = probe;
  const empty = await sendCreation(probe, {});
  // The rate has been waited for already.
  if (!hasEnvelope(empty) || empty.response.status === 429) {
    findings.missed(
      fieldGaps,
      explainUnexpectedAnswer(probe, empty, 'the creation of a subscription').message,
    );
    return false;
  }
  noteRefusal(probe, 'invalid-request', empty);
  const names = (await givenNames(probe)) ?? (await findNames(probe, empty));
  if (!names) return false;
  const evidence = `a creation with the fields ${Object.values(names).join(', ')} passed`;
  for (const field of fields) findings.found(`subscription.request.${field}`, names[field], evidence);
  if (probe.supposedToken !== undefined)
    findings.found(
      'login.token',
      probe.supposedToken,
      `the text at ${probe.supposedToken} of the login answer was accepted as Bearer by a creation`,
    );
  return true;
}

/** Given names are tried only for the address. */
async function givenNames(probe: Probe): Promise<Names | undefined> {
  const [url, events, channel] = fieldGaps.map((gap) => probe.findings.value(gap));
  if (typeof url !== 'string' || typeof events !== 'string' || typeof channel !== 'string') return undefined;
  const send = () => {
    const target = urlOf(probe, nextPath(probe));
    return sendCreation(probe, { [url]: target, [events]: plainEvents, [channel]: 'custom' }, { target });
  };
  const refusal = await send();
  if (succeeded(refusal) || !probe.listener) return { url, events, channel };
  await withoutReceiver(probe, refusal, async () => succeeded(await send()));
  return { url, events, channel };
}

async function findNames(probe: Probe, empty: Exchange): Promise<Names | undefined> {
  const { names, refusal = empty } = await searchNames(probe, empty);
  if (names) return names;
  let found: Names | undefined;
  if (probe.listener)
    await withoutReceiver(probe, refusal, async () => {
      found = (await searchNames(probe, empty)).names;
      return found !== undefined;
    });
  if (found) return found;
  const reason = `no creation with likely names passed; the last answer: ${describeAnswer(refusal)}; state it if you know it`;
  probe.findings.missed(fieldGaps, reason);
  return undefined;
}

/** Tries an address that belongs to nobody: a deployment may accept https or public hosts only, and refuse our receiver for that. */
async function withoutReceiver(
  probe: Probe,
  refusal: Exchange,
  passes: () => Promise<boolean>,
): Promise<void> {
  const { listener } = probe;
  if (!isRefused(refusal)) return;
  probe.listener = undefined;
  if (await passes())
    probe.whyNoReceiver = `the deployment refuses the receiver's address; give one that it accepts with --receiver-url (a creation with ${listener?.urlOf('/…')} was answered with ${describeAnswer(refusal)}, one with https://hooks.example.com/… passed)`;
  else probe.listener = listener;
}
