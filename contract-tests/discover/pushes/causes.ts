// Causes events by the operations that are known.
import type { EventName } from '../../../openapi/generated/types.ts';
import { causeOf, neededFor } from '../../calls/event-operations.ts';
import { createOwn } from '../ask/create.ts';
import { callOperation, hasSucceeded, isGiven } from '../ask/operations.ts';
import type { OwnContent, Probe } from '../probe.ts';

/** The values that an event is expected to report, by placeholder. */
export type EventValues = Readonly<Record<string, unknown>>;

/** What leaves little behind comes first. */
const likelyEvents = ['publish.failed', 'comment.created', 'form.submit', 'publish.complete'] as const;

/** An event that can be caused and leaves little behind. */
export function findCausableEvent(probe: Probe): EventName | undefined {
  return likelyEvents.find((event) => hasOperations(probe, event));
}

/** Whether the operations for an event are given. */
export function hasOperations(probe: Probe, event: EventName): boolean {
  const needed = neededFor(probe.seen.operations, event);
  return [...needed, ...(isOfContent(event) ? (['createContent'] as const) : [])].every((id) =>
    isGiven(probe, id),
  );
}

function isOfContent(event: EventName): boolean {
  return event.startsWith('content.');
}

/** Causes an event with known values. Returns them, or undefined when the operation is refused. */
export async function causeByOperation(probe: Probe, event: EventName): Promise<EventValues | undefined> {
  const mark = `sitepub-${probe.runId}-${probe.nextNumber()}`;
  if (isOfContent(event)) return causeByContent(probe, event, mark);
  const known: EventValues = {
    form: `${mark}-form`,
    fields: { [`${mark}-field`]: `${mark} é海` },
    author: `${mark}-author`,
    text: `${mark} é海`,
  };
  const cause = causeOf(probe.seen.operations, event);
  const result = await callOperation(probe, cause, { ...known, note: mark });
  return hasSucceeded(result) ? { ...known, id: result.values.id } : undefined;
}

/** The content item that the events are about is created once. */
async function causeByContent(
  probe: Probe,
  event: EventName,
  mark: string,
): Promise<EventValues | undefined> {
  const { created, seen } = probe;
  const cause = causeOf(seen.operations, event);
  if (cause === 'createContent') created.content = undefined;
  created.content ??= await createContent(probe, mark);
  const { content } = created;
  if (cause === 'createContent') return content.isCreated ? content.values : undefined;
  const { id } = content.values;
  // That it is ours may be shown of the next one.
  if (id === undefined) created.content = undefined;
  if (id === undefined) return undefined;
  const title = event === 'content.update' ? `${mark} new é海` : content.values.title;
  if (!hasSucceeded(await callOperation(probe, cause, { contentID: id, title, text: mark })))
    return undefined;
  content.values = { id, title };
  if (event === 'content.delete') {
    created.resources.markDeleted('content', id);
    created.content = undefined;
  }
  return { id, title };
}

async function createContent(probe: Probe, mark: string): Promise<OwnContent> {
  const title = `${mark} é海`;
  const result = await createOwn(probe, 'createContent', { title, text: mark });
  return { isCreated: hasSucceeded(result), values: { id: result.values.id, title } };
}
