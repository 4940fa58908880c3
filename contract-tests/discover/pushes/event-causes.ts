// Causes events by the operations that are known.
import type { EventName } from '../../../openapi/generated/types.ts';
import { causeOf, neededFor } from '../../calls/event-operations.ts';
import { succeeded } from '../../core/exchange.ts';
import { callOperation, isGiven } from '../call-operations.ts';
import { createOwn } from '../create-own.ts';
import type { Probe } from '../discovery-probe.ts';

/** The values that an event is expected to report, by placeholder. */
export type EventValues = Readonly<Record<string, unknown>>;

/** What leaves little behind comes first. */
const likelyEvents = ['publish.complete', 'comment.created', 'form.submit', 'publish.failed'] as const;

/** An event that can be caused and leaves little behind. */
export function findCausableEvent(probe: Probe): EventName | undefined {
  return likelyEvents.find((event) => hasOperations(probe, event));
}

/** Whether the operations for an event are given. */
export function hasOperations(probe: Probe, event: EventName): boolean {
  if (event.startsWith('content.') && !isGiven(probe, 'createContent')) return false;
  return neededFor(probe.operations, event).every((id) => isGiven(probe, id));
}

/** Causes an event with known values. Returns them, or undefined when the operation is refused. */
export async function causeByOperation(probe: Probe, event: EventName): Promise<EventValues | undefined> {
  const mark = `sitepub-${probe.runId}-${probe.count.requests}`;
  if (event.startsWith('content.')) return causeByContent(probe, event, mark);
  const known: EventValues = {
    form: `${mark}-form`,
    fields: { [`${mark}-field`]: `${mark} é海` },
    author: `${mark}-author`,
    text: `${mark} é海`,
  };
  const { exchange, values } = await callOperation(probe, causeOf(probe.operations, event), {
    ...known,
    note: mark,
  });
  return succeeded(exchange) ? { ...known, id: values.id } : undefined;
}

async function causeByContent(
  probe: Probe,
  event: EventName,
  mark: string,
): Promise<EventValues | undefined> {
  const created = await createOwn(probe, 'createContent', { title: `${mark} é海`, text: mark });
  const { id } = created.values;
  const cause = causeOf(probe.operations, event);
  if (cause === 'createContent' && succeeded(created.exchange)) return { id, title: `${mark} é海` };
  if (id === undefined) return undefined;
  const title = event === 'content.update' ? `${mark} new é海` : `${mark} é海`;
  const { exchange } = await callOperation(probe, cause, {
    contentID: id,
    title,
    text: mark,
  });
  if (event === 'content.delete' && succeeded(exchange)) probe.resources.markDeleted('content', id);
  return succeeded(exchange) ? { id, title } : undefined;
}
