// What `data` of the events holds: the values that are known to have been told give place to their placeholders.

import { eventNames } from '../../openapi/event-names.ts';
import type { EventName } from '../../openapi/generated/types.ts';
import { findGap } from '../../openapi/registers.ts';
import { guessValues, toTemplate } from './data-template.ts';
import { type Probe, progress } from './discovery-probe.ts';
import {
  causeByControl,
  causeByOperation,
  type EventValues,
  hasOperation,
  unusedValues,
} from './event-causes.ts';
import { findStyle } from './probe-pushes.ts';
import { arrivalAt, createdSubscription, fieldOf } from './test-pushes.ts';

/** Causes every event that can be, and reads its push. */
export async function probeEventData(probe: Probe): Promise<void> {
  const hasControl = probe.options.controlUrl !== undefined;
  const events = eventNames.filter((event) => event !== 'publish.complete');
  const open = events.filter((event) => !probe.findings.has(`event-data.${event}`));
  const possible = open.filter((event) => hasOperation(probe, event) || hasControl);
  if (possible.length === 0) return;
  progress(probe, 'causing events');
  const { path } = await createdSubscription(probe, { events: eventNames });
  const sample = hasControl ? await sampleText(probe, path) : undefined;
  for (const event of possible) {
    const isToldWhole =
      hasOperation(probe, event) && (!hasControl || unusedValues(probe, event).length === 0);
    if (isToldWhole && (await causeOwn(probe, path, event))) continue;
    if (sample !== undefined) await readSample(probe, { path, event, sample });
    else
      probe.findings.missed(
        [`event-data.${event}`],
        'the operation that is to cause it is refused, or no push came of it',
      );
  }
}

async function causeOwn(probe: Probe, path: string, event: EventName): Promise<boolean> {
  const before = probe.listener?.pushesTo(path).length ?? 0;
  const told = await causeByOperation(probe, event);
  const data = told && (await dataAt(probe, path, before + 1));
  if (!told || !data) return false;
  const hasId = told.id !== undefined;
  if (!hasId && probe.options.controlUrl !== undefined) return false;
  enter(probe, event, data, { told, how: 'the push of an event that was caused with known values' });
  return true;
}

async function readSample(
  probe: Probe,
  { path, event, sample }: { path: string; event: EventName; sample: string },
): Promise<void> {
  const before = probe.listener?.pushesTo(path).length ?? 0;
  await causeByControl(probe, event);
  const data = await dataAt(probe, path, before + 1);
  if (data)
    enter(probe, event, data, {
      ...guessValues(event, data, sample),
      how: 'the push of an event that the control API caused; which value is which was told by their kinds',
    });
}

interface Source {
  told: EventValues;
  how: string;
  /** Places whose values are no placeholders. */
  kept?: readonly string[];
}

function enter({ findings }: Probe, event: EventName, data: object, { told, how, kept = [] }: Source): void {
  const known = findGap(`event-data.${event}`)?.placeholders ?? [];
  const values = Object.entries(told).filter(([name, value]) => known.includes(name) && value !== undefined);
  findings.found(`event-data.${event}`, toTemplate(data, { values, known, kept }), how);
}

async function dataAt(probe: Probe, path: string, number: number): Promise<object | undefined> {
  const push = await arrivalAt(probe, path, number);
  // The body of a test message may have been too plain to tell.
  if (push && !probe.findings.has('webhook.body-style')) findStyle(probe, push);
  const data = push && fieldOf(push, 'data');
  return typeof data === 'object' && data !== null ? data : undefined;
}

/** The text that a mock tells where nothing happened: that of publish.complete, whose place is documented. */
async function sampleText(probe: Probe, path: string): Promise<string | undefined> {
  const before = probe.listener?.pushesTo(path).length ?? 0;
  await causeByControl(probe, 'publish.complete');
  const data = await dataAt(probe, path, before + 1);
  const message: unknown = data && Reflect.get(data, 'message');
  return typeof message === 'string' ? message : undefined;
}
