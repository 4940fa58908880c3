// Causes events: by the operations of the given profile, or by the control API of a mock.
import type { EventName } from '../../../openapi/generated/types.ts';
import type { OperationId } from '../../../openapi/operations.ts';
import { findGap } from '../../../openapi/registers.ts';
import { succeeded } from '../../core/exchange.ts';
import { createControlCaller } from '../../deployment/control-api.ts';
import { callOperation, isGiven, placeholdersIn } from '../call-operations.ts';
import { createOwn } from '../create-own.ts';
import type { Probe } from '../discovery-probe.ts';

/** The values that an event is expected to report, by placeholder. */
export type EventValues = Readonly<Record<string, unknown>>;

const operationFor: Partial<Record<EventName, OperationId>> = {
  'publish.complete': 'publishSite',
  'comment.created': 'createComment',
  'form.submit': 'submitForm',
  'publish.failed': 'failPublish',
};

/** An event that can be caused and leaves little behind. */
export function findCausableEvent(probe: Probe): EventName | undefined {
  if (probe.options.controlUrl !== undefined) return 'publish.failed';
  const events = Object.keys(operationFor) as EventName[];
  return events.find((event) => isGiven(probe, operationFor[event] as OperationId));
}

/** Causes an event that `findCausableEvent` returned. */
export async function causeEvent(probe: Probe, event: EventName): Promise<void> {
  if (probe.options.controlUrl !== undefined) return causeByControl(probe, event);
  await causeByOperation(probe, event);
}

/** Whether the operations for an event are given. */
export function hasOperations(probe: Probe, event: EventName): boolean {
  const operation = operationFor[event];
  if (operation) return isGiven(probe, operation);
  if (!isGiven(probe, 'createContent')) return false;
  return isCausedByCreation(probe, event) || isGiven(probe, contentOperation(event));
}

function isCausedByCreation({ operations }: Probe, event: EventName): boolean {
  const also = operations.get('createContent')?.also ?? [];
  return event === 'content.publish' && also.includes('operation.publish-content');
}

/** The placeholders of an event whose values its operations have no place for. */
export function findMissingPlaceholders(probe: Probe, event: EventName): string[] {
  const names = (findGap(`event-data.${event}`)?.placeholders ?? []).filter((name) => name !== 'id');
  const created = event === 'content.update' ? 'updateContent' : 'createContent';
  const accepted = placeholdersIn(probe, operationFor[event] ?? created);
  return names.filter((name) => !accepted.includes(name));
}

/** The operation that changes a content as the event says. */
function contentOperation(event: EventName): OperationId {
  return `${event.slice('content.'.length)}Content` as OperationId;
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
  const operation = operationFor[event];
  if (!operation) return undefined;
  const { exchange, values } = await callOperation(probe, operation, { ...known, note: mark });
  return succeeded(exchange) ? { ...known, id: values.id } : undefined;
}

async function causeByContent(
  probe: Probe,
  event: EventName,
  mark: string,
): Promise<EventValues | undefined> {
  const created = await createOwn(probe, 'createContent', { title: `${mark} é海`, text: mark });
  const { id } = created.values;
  if (isCausedByCreation(probe, event) && succeeded(created.exchange)) return { id, title: `${mark} é海` };
  if (id === undefined) return undefined;
  const title = event === 'content.update' ? `${mark} new é海` : `${mark} é海`;
  const { exchange } = await callOperation(probe, contentOperation(event), {
    contentID: id,
    title,
    text: mark,
  });
  if (event === 'content.delete' && succeeded(exchange)) probe.resources.markDeleted('content', id);
  return succeeded(exchange) ? { id, title } : undefined;
}

/** Throws HarnessError when the control API refuses. */
export async function causeByControl({ options, ending }: Probe, event: EventName): Promise<void> {
  const { controlUrl = '', controlToken: token, siteId } = options;
  const call = createControlCaller(controlUrl, { token, ending });
  await call({ method: 'POST', path: '/events', body: { event, site_id: siteId, samples: true } });
}
