// What `data` of the events contains: known values are replaced by their placeholders.
import { eventNames } from '../../../openapi/event-names.ts';
import type { EventName } from '../../../openapi/generated/types.ts';
import { findGap } from '../../../openapi/registers.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { type Probe, reportProgress } from '../discovery-probe.ts';
import { commonPart, guessValues, toTemplate, withoutNumbers } from '../pushes/data-template.ts';
import {
  causeByControl,
  causeByOperation,
  type EventValues,
  findMissingPlaceholders,
  hasOperations,
} from '../pushes/event-causes.ts';
import {
  eventNameOf,
  fieldOf,
  pushCount,
  requireSubscription,
  waitUntilPushed,
} from '../pushes/test-pushes.ts';
import { findBodyStyle, findOffset } from './probe-pushes.ts';

/** Causes each event that can be caused, and reads its push. */
export async function probeEventData(probe: Probe): Promise<void> {
  const hasControl = probe.options.controlUrl !== undefined;
  const events = eventNames.filter((event) => event !== 'publish.complete');
  const missing = events.filter((event) => !probe.findings.has(`event-data.${event}`));
  const possible = missing.filter((event) => hasOperations(probe, event) || hasControl);
  if (possible.length === 0) return;
  reportProgress(probe, 'causing events');
  const { path } = await requireSubscription(probe, { events: eventNames });
  const sample = hasControl ? await sampleText(probe, path) : undefined;
  for (const event of possible) {
    const isOperationEnough =
      hasOperations(probe, event) && (!hasControl || findMissingPlaceholders(probe, event).length === 0);
    if (isOperationEnough && (await readCaused(probe, path, event))) continue;
    if (sample !== undefined) await readSample(probe, { path, event, sample });
    else probe.findings.missed([`event-data.${event}`], 'its operation was refused, or no push arrived');
  }
}

/** Reads the push of an event with known values. Returns whether that was enough. */
async function readCaused(probe: Probe, path: string, event: EventName): Promise<boolean> {
  const first = await causeAndRead(probe, path, event);
  if (!first) return false;
  const evidence = 'the push of an event that was caused with known values';
  if (first.values.id !== undefined) {
    addTemplate(probe, event, first.data, { values: first.values, evidence });
    return true;
  }
  if (probe.options.controlUrl !== undefined) return false;
  // Without the identifier in an answer, what differs between two events can't be a constant.
  const second = await causeAndRead(probe, path, event);
  const [one, other] = [first, second ?? first].map(({ data, values }) =>
    templateOf(event, data, { values }),
  );
  // A second call may be answered with the first result; without numbers, one failure says enough.
  if (!second && event !== 'publish.failed') return false;
  const template = second ? commonPart(one, other) : withoutNumbers(one);
  const what = second ? 'what two pushes have in common' : 'what is no number in a push';
  probe.findings.found(`event-data.${event}`, template ?? {}, `${what}, ${evidence}`);
  return true;
}

interface CausedData {
  values: EventValues;
  data: object;
}

async function causeAndRead(probe: Probe, path: string, event: EventName): Promise<CausedData | undefined> {
  const before = pushCount(probe, path);
  const values = await causeByOperation(probe, event);
  const data = values && (await dataOf(probe, path, { event, before }));
  return values && data && { values, data };
}

async function readSample(
  probe: Probe,
  { path, event, sample }: { path: string; event: EventName; sample: string },
): Promise<void> {
  const data = await sampleData(probe, path, event);
  const evidence =
    'the push of an event that the control API caused; the values were told apart by their types';
  if (data) addTemplate(probe, event, data, { ...guessValues(event, data, sample), evidence });
}

interface Source extends Values {
  evidence: string;
}

interface Values {
  values: EventValues;
  /** Pointers of values that are not placeholders. */
  constants?: readonly string[];
}

function addTemplate({ findings }: Probe, event: EventName, data: object, source: Source): void {
  findings.found(`event-data.${event}`, templateOf(event, data, source), source.evidence);
}

function templateOf(event: EventName, data: object, source: Values): unknown {
  const known = findGap(`event-data.${event}`)?.placeholders ?? [];
  const { constants = [] } = source;
  const values = Object.entries(source.values).filter(
    ([name, value]) => known.includes(name) && value !== undefined,
  );
  return toTemplate(data, { values, known, constants });
}

async function sampleData(probe: Probe, path: string, event: EventName): Promise<object | undefined> {
  const before = pushCount(probe, path);
  await causeByControl(probe, event);
  return dataOf(probe, path, { event, before });
}

/** `data` of the push of an event, after so many others. */
async function dataOf(
  probe: Probe,
  path: string,
  { event, before }: { event: EventName; before: number },
): Promise<object | undefined> {
  const isOfEvent = (push: Push) => eventNameOf(push) === event;
  const push = await waitUntilPushed(probe, path, (pushes) => pushes.slice(before).find(isOfEvent));
  // The body of a test push may have been too plain to show its style, or another one.
  if (push && !probe.findings.has('webhook.body-style')) findBodyStyle(probe, push);
  if (push && !probe.findings.has('webhook.timestamp-offset')) findOffset(probe, push);
  const data = push && fieldOf(push, 'data');
  return typeof data === 'object' && data !== null ? data : undefined;
}

/** The text of a mock's sample events: that of publish.complete, whose place is documented. */
async function sampleText(probe: Probe, path: string): Promise<string | undefined> {
  const data = await sampleData(probe, path, 'publish.complete');
  const message: unknown = data && Reflect.get(data, 'message');
  return typeof message === 'string' ? message : undefined;
}
