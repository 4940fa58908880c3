// Which operations cause the seven events, by what a profile states of them.
import type { EventName } from '../../openapi/generated/types.ts';
import { namesIn, type Operation, type OperationId, operationGap } from '../../openapi/operations.ts';

type Operations = ReadonlyMap<string, Operation>;

/** The operation that causes each event, and the requirement that the event is then pushed. */
const causes: Readonly<Record<EventName, { operation: OperationId; requirement: string }>> = {
  'content.publish': { operation: 'publishContent', requirement: 'EVENT-6' },
  'content.update': { operation: 'updateContent', requirement: 'EVENT-7' },
  'content.delete': { operation: 'deleteContent', requirement: 'EVENT-8' },
  'form.submit': { operation: 'submitForm', requirement: 'EVENT-9' },
  'comment.created': { operation: 'createComment', requirement: 'EVENT-10' },
  'publish.complete': { operation: 'publishSite', requirement: 'EVENT-11' },
  'publish.failed': { operation: 'failPublish', requirement: 'EVENT-12' },
};

/** The operations that may cause an event. Creating content and importing a site may publish at once. */
const eventful = new Set([
  ...Object.values(causes).map(({ operation }) => operation),
  'createContent',
  'importSite',
]);

export function isEventful(operation: string): boolean {
  return eventful.has(operation);
}

export function requirementOf(event: EventName): string {
  return causes[event].requirement;
}

/** As a need of a check, for example `operation:publish-site`. */
export function operationNeed(event: EventName): `operation:${string}` {
  return `operation:${operationGap(causes[event].operation).slice('operation.'.length)}`;
}

/** The operation that causes an event. Creating content may publish it at once. */
export function causeOf(operations: Operations, event: EventName): OperationId {
  const also = operations.get('createContent')?.also ?? [];
  const isByCreation = event === 'content.publish' && also.includes('operation.publish-content');
  return isByCreation ? 'createContent' : causes[event].operation;
}

/** Whether that operation takes the identifier of a content item. */
export function takesContent(operations: Operations, event: EventName): boolean {
  const cause = operations.get(causeOf(operations, event));
  return cause !== undefined && namesIn(cause).includes('contentID');
}

/** The operations that a profile must state for an event. */
export function neededFor(operations: Operations, event: EventName): OperationId[] {
  const cause = causeOf(operations, event);
  return takesContent(operations, event) ? [cause, 'createContent'] : [cause];
}
