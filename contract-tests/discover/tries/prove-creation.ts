// Whether an answer names what was created: it may name a job, or anything else that somebody has, and what it names is changed and deleted later.
import type { OperationId } from '../../../openapi/operations.ts';
import { whoseIs } from '../../calls/own-things.ts';
import { creations, deletionOf } from '../../deployment/created-resources.ts';
import { readingOf, type Thing } from '../../deployment/shown-things.ts';
import { askerOf, type CallResult, callOperation, isGiven } from '../call-operations.ts';
import type { Probe } from '../discovery-probe.ts';

/** What is read of what was created; `call` reads one, and judges what it answers. */
export interface Proving {
  answer: CallResult;
  values: Readonly<Record<string, unknown>>;
  call(id: OperationId, values: Record<string, unknown>): Promise<CallResult | undefined>;
}

/** Whether what the answer names is shown to be what was created. Then it is recorded. */
export async function proveCreation(
  probe: Probe,
  id: OperationId,
  { answer, values, call }: Proving,
): Promise<boolean> {
  const { what = 'site', target = '' } = creations[id] ?? {};
  const created = answer.values.id;
  const { get, list } = readingOf[what] ?? {};
  if (!list || !deletionOf(what) || created === undefined) return false;
  const { resources } = probe;
  const mark = String(values[target]);
  const thing: Thing = { what, id: created, site: values.siteID, tenant: 'main' };
  resources.ownership.addClaim(thing, mark, answer.exchange);
  const read = (other: OperationId, names: Record<string, unknown>) =>
    other === get ? call(other, names) : callOperation(probe, other, names);
  const whose = await whoseIs(askerOf(probe, read), thing);
  const canRead = [get, list].some((one) => one !== undefined && isGiven(probe, one));
  if (whose !== 'own' && !(whose === 'believed' && isEnough(probe, thing, canRead))) return false;
  probe.proven.add(id);
  resources.identify(what, mark, created);
  return true;
}

/** Whether the answer to a creation is enough: what was learnt has to be read where it can be, and what a profile states has to be there. */
function isEnough({ options, resources: { ownership } }: Probe, thing: Thing, canRead: boolean): boolean {
  if (options.learning) return !canRead && ownership.isBeside(thing);
  return !canRead || ownership.isShown(thing);
}
