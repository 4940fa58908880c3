// What `data` of the events contains: known values are replaced by their placeholders.
import { eventNames } from '../../../openapi/event-names.ts';
import type { EventName } from '../../../openapi/generated/types.ts';
import { findGap } from '../../../openapi/registers.ts';
import { type JsonLeaf, jsonLeavesOf } from '../../core/json-leaves.ts';
import { isSameId } from '../../core/parse-json.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { comesWithin } from '../../push-receiver/wait-for-push.ts';
import { type Probe, receiverOf, reportProgress } from '../probe.ts';
import { causeByOperation, type EventValues, hasOperations } from './causes.ts';
import { commonPart, toTemplate, withoutNumbers } from './data-template.ts';
import { readBody } from './headers.ts';
import { requireSubscription } from './test-pushes.ts';
import { eventNameOf, fieldOf, greetingMs, pushCount, waitUntilPushed } from './wait.ts';

/** Causes each event that can be caused, and reads its push. */
export async function probeEventData(probe: Probe): Promise<void> {
  const events = eventNames.filter((event) => event !== 'publish.complete');
  const missing = events.filter((event) => !probe.findings.has(`event-data.${event}`));
  const possible = missing.filter((event) => hasOperations(probe, event));
  if (possible.length === 0) return;
  reportProgress(probe, 'causing events');
  const { path } = await requireSubscription(probe, { events: eventNames });
  for (const event of possible)
    if (!(await readCaused(probe, path, event)))
      probe.findings.missed([`event-data.${event}`], 'its operation was refused, or no push arrived');
}

/** Reads the push of an event with known values. Returns whether that was enough. */
async function readCaused(probe: Probe, path: string, event: EventName): Promise<boolean> {
  const first = await causeAndRead(probe, path, event);
  if (!first) return false;
  const evidence = 'the push of an event that was caused with known values';
  if (first.values.id !== undefined) {
    probe.findings.found(`event-data.${event}`, templateOf(event, first), evidence);
    return true;
  }
  const template = templateOf(event, first);
  const plain = withoutNumbers(template);
  // Without numbers, one failure says enough.
  if (event === 'publish.failed' && Object.keys(Object(plain)).length > 0) {
    probe.findings.found(`event-data.${event}`, plain, `what is no number in ${evidence}`);
    return true;
  }
  // Without the identifier in an answer, what differs between two events can't be a constant.
  const second = await causeAndRead(probe, path, event);
  if (!second) return false;
  const common = commonPart(template, templateOf(event, second)) ?? {};
  probe.findings.found(`event-data.${event}`, common, `what two pushes have in common, ${evidence}`);
  return true;
}

interface CausedData {
  values: EventValues;
  data: object;
}

async function causeAndRead(probe: Probe, path: string, event: EventName): Promise<CausedData | undefined> {
  const before = pushCount(probe, path);
  const values = await causeByOperation(probe, event);
  const push = values && (await pushOf(probe, path, { event, before, values }));
  if (!push) return undefined;
  // The body of a test push may have been too plain to show its style, or another one.
  readBody(probe, push);
  const data = fieldOf(push, 'data');
  return typeof data === 'object' && data !== null ? { values, data } : undefined;
}

function templateOf(event: EventName, caused: CausedData): unknown {
  const known = findGap(`event-data.${event}`)?.placeholders ?? [];
  const values = Object.entries(caused.values).filter(
    ([name, value]) => known.includes(name) && value !== undefined,
  );
  return toTemplate(caused.data, { values, known });
}

interface Caused {
  event: EventName;
  /** How many pushes had come before. */
  before: number;
  values: EventValues;
}

/** The push of an event. Others may cause the same at that time: where none has what was sent, it has to be the only one. */
async function pushOf(
  probe: Probe,
  path: string,
  { event, before, values }: Caused,
): Promise<Push | undefined> {
  const pushes = () => (receiverOf(probe)?.pushesTo(path) ?? []).slice(before);
  const ofEvent = () => pushes().filter((push) => eventNameOf(push) === event);
  const ours = () => ofEvent().find((push) => isOurs(probe, push, values));
  const first = await waitUntilPushed(probe, path, () => ours() ?? ofEvent()[0]);
  if (first && !ours()) await comesWithin(probe, () => ours() !== undefined, greetingMs);
  return ours() ?? (ofEvent().length === 1 ? first : undefined);
}

function isOurs({ runId }: Probe, push: Push, { id }: EventValues): boolean {
  const isId = ({ value }: JsonLeaf) => isSameId(value, id);
  return push.body.includes(runId) || (id !== undefined && jsonLeavesOf(fieldOf(push, 'data')).some(isId));
}
