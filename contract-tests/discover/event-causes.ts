// Events that a discovery causes: by the operations of the given profile, else by the control API of a mock.
import type { EventName } from '../../openapi/generated/types.ts';
import type { OperationId } from '../../openapi/operations.ts';
import { findGap } from '../../openapi/registers.ts';
import { succeeded } from '../core/exchange.ts';
import { HarnessError } from '../core/outcomes.ts';
import { callGiven, isGiven, placeholdersIn } from './call-operations.ts';
import type { Probe } from './discovery-probe.ts';

/** The values that an event is expected to tell of, by the names of its placeholders. */
export type EventValues = Readonly<Record<string, unknown>>;

const operationFor: Partial<Record<EventName, OperationId>> = {
  'publish.complete': 'publishSite',
  'comment.created': 'createComment',
  'form.submit': 'submitForm',
  'publish.failed': 'failPublish',
};

/** An event that can be caused with little left behind. */
export function canCause(probe: Probe): EventName | undefined {
  if (probe.options.controlUrl !== undefined) return 'publish.failed';
  const events = Object.keys(operationFor) as EventName[];
  return events.find((event) => isGiven(probe, operationFor[event] as OperationId));
}

/** Causes an event that `canCause` gave. */
export async function causeEvent(probe: Probe, event: EventName): Promise<void> {
  if (probe.options.controlUrl !== undefined) return causeByControl(probe, event);
  await causeByOperation(probe, event);
}

/** Whether the operations for an event are given. */
export function hasOperation(probe: Probe, event: EventName): boolean {
  const own = operationFor[event];
  if (own) return isGiven(probe, own);
  const change = `${event.slice('content.'.length)}Content` as OperationId;
  return isGiven(probe, 'createContent') && isGiven(probe, change);
}

/** The placeholders that can't be told by the operations for an event, because they take no such value. */
export function unusedValues(probe: Probe, event: EventName): string[] {
  const names = (findGap(`event-data.${event}`)?.placeholders ?? []).filter((name) => name !== 'id');
  const changed = `${event.slice('content.'.length)}Content` as OperationId;
  const operation = operationFor[event] ?? (event === 'content.update' ? changed : 'createContent');
  const taken = placeholdersIn(probe, operation);
  return names.filter((name) => !taken.includes(name));
}

/** Causes an event with values of our own. Gives them, or nothing where the operation is refused. */
export async function causeByOperation(probe: Probe, event: EventName): Promise<EventValues | undefined> {
  const mark = `sitepub-${probe.runId}-${probe.count.requests}`;
  if (event.startsWith('content.')) return causeByContent(probe, event, mark);
  const told: EventValues = {
    form: `${mark}-form`,
    fields: { [`${mark}-field`]: `${mark} é海` },
    author: `${mark}-author`,
    text: `${mark} é海`,
  };
  const operation = operationFor[event];
  if (!operation) return undefined;
  const { exchange, values } = await callGiven(probe, operation, { ...told, note: mark });
  return succeeded(exchange) ? { ...told, id: values.id } : undefined;
}

async function causeByContent(
  probe: Probe,
  event: EventName,
  mark: string,
): Promise<EventValues | undefined> {
  const created = await callGiven(probe, 'createContent', { title: `${mark} é海`, text: mark });
  const { id } = created.values;
  if (id === undefined) return undefined;
  const title = event === 'content.update' ? `${mark} new é海` : `${mark} é海`;
  const change = `${event.slice('content.'.length)}Content` as OperationId;
  const { exchange } = await callGiven(probe, change, { contentID: id, title, text: mark });
  if (event === 'content.delete' && succeeded(exchange)) probe.resources.markDeleted('content', id);
  return succeeded(exchange) ? { id, title } : undefined;
}

/** Throws HarnessError where the control API does not do it. */
export async function causeByControl({ options }: Probe, event: EventName): Promise<void> {
  const { controlUrl = '', controlToken, siteId } = options;
  const response = await fetch(`${controlUrl.replace(/\/+$/, '')}/events`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(controlToken !== undefined && { Authorization: `Bearer ${controlToken}` }),
    },
    body: JSON.stringify({ event, site_id: siteId }),
    signal: AbortSignal.timeout(10_000),
  });
  if (response.ok) return void (await response.body?.cancel());
  throw new HarnessError(
    `the control API refused to cause ${event}: ${(await response.text()).slice(0, 200)}`,
  );
}
