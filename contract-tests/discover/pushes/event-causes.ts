// Causes events by the operations that are known.
import type { EventName } from '../../../openapi/generated/types.ts';
import { causeOf, neededFor } from '../../calls/event-operations.ts';
import { succeeded } from '../../core/exchange.ts';
import { callOperation, isGiven } from '../call-operations.ts';
import { createOwn } from '../create-own.ts';
import type { Probe } from '../discovery-probe.ts';

/** The values that an event is expected to report, by placeholder. */
export type EventValues = Readonly<Record<string, unknown>>;

/** A content item that this discovery has created, and its values. */
export interface OwnContent {
  isCreated: boolean;
  values: { id: unknown; title: string };
}

/** What leaves little behind comes first. */
const likelyEvents = ['publish.failed', 'comment.created', 'form.submit', 'publish.complete'] as const;

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

/** The content item that the events are about is created once. */
async function causeByContent(
  probe: Probe,
  event: EventName,
  mark: string,
): Promise<EventValues | undefined> {
  const cause = causeOf(probe.operations, event);
  if (cause === 'createContent') probe.content = undefined;
  probe.content ??= await createContent(probe, mark);
  const { content } = probe;
  if (cause === 'createContent') return content.isCreated ? content.values : undefined;
  const { id } = content.values;
  if (id === undefined) return undefined;
  const title = event === 'content.update' ? `${mark} new é海` : content.values.title;
  const { exchange } = await callOperation(probe, cause, { contentID: id, title, text: mark });
  if (!succeeded(exchange)) return undefined;
  content.values = { id, title };
  if (event === 'content.delete') {
    probe.resources.markDeleted('content', id);
    probe.content = undefined;
  }
  return { id, title };
}

async function createContent(probe: Probe, mark: string): Promise<OwnContent> {
  const title = `${mark} é海`;
  const { exchange, values } = await createOwn(probe, 'createContent', { title, text: mark });
  return { isCreated: succeeded(exchange), values: { id: values.id, title } };
}
