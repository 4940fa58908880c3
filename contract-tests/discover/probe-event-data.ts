// What `data` of the events contains: known values are replaced by their placeholders.
import { eventNames } from '../../openapi/event-names.ts';
import type { EventName } from '../../openapi/generated/types.ts';
import { findGap } from '../../openapi/registers.ts';
import { guessValues, toTemplate } from './data-template.ts';
import { type Probe, reportProgress } from './discovery-probe.ts';
import {
  causeByControl,
  causeByOperation,
  type EventValues,
  findMissingPlaceholders,
  hasOperations,
} from './event-causes.ts';
import { findBodyStyle } from './probe-pushes.ts';
import { fieldOf, pushCount, requireSubscription, waitForPush } from './test-pushes.ts';

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
  const next = pushCount(probe, path) + 1;
  const values = await causeByOperation(probe, event);
  const data = values && (await dataAt(probe, path, next));
  if (!values || !data) return false;
  if (values.id === undefined && probe.options.controlUrl !== undefined) return false;
  addTemplate(probe, event, data, {
    values,
    evidence: 'the push of an event that was caused with known values',
  });
  return true;
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

interface Source {
  values: EventValues;
  evidence: string;
  /** Pointers of values that are not placeholders. */
  constants?: readonly string[];
}

function addTemplate({ findings }: Probe, event: EventName, data: object, source: Source): void {
  const known = findGap(`event-data.${event}`)?.placeholders ?? [];
  const { evidence, constants = [] } = source;
  const values = Object.entries(source.values).filter(
    ([name, value]) => known.includes(name) && value !== undefined,
  );
  findings.found(`event-data.${event}`, toTemplate(data, { values, known, constants }), evidence);
}

async function sampleData(probe: Probe, path: string, event: EventName): Promise<object | undefined> {
  const next = pushCount(probe, path) + 1;
  await causeByControl(probe, event);
  return dataAt(probe, path, next);
}

async function dataAt(probe: Probe, path: string, number: number): Promise<object | undefined> {
  const push = await waitForPush(probe, path, number);
  // The body of a test push may have been too plain to show its style.
  if (push && !probe.findings.has('webhook.body-style')) findBodyStyle(probe, push);
  const data = push && fieldOf(push, 'data');
  return typeof data === 'object' && data !== null ? data : undefined;
}

/** The text of a mock's sample events: that of publish.complete, whose place is documented. */
async function sampleText(probe: Probe, path: string): Promise<string | undefined> {
  const data = await sampleData(probe, path, 'publish.complete');
  const message: unknown = data && Reflect.get(data, 'message');
  return typeof message === 'string' ? message : undefined;
}
