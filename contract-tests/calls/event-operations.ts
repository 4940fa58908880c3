// Which operations cause the seven events, by what a profile states of them.
import type { EventName } from '../../openapi/generated/types.ts';
import { namesIn, type Operation, type OperationId } from '../../openapi/operations.ts';

type Operations = ReadonlyMap<string, Operation>;

const causes: Readonly<Record<EventName, OperationId>> = {
  'content.publish': 'publishContent',
  'content.update': 'updateContent',
  'content.delete': 'deleteContent',
  'form.submit': 'submitForm',
  'comment.created': 'createComment',
  'publish.complete': 'publishSite',
  'publish.failed': 'failPublish',
};

/** The operation that causes an event. Creating content may publish it at once. */
export function causeOf(operations: Operations, event: EventName): OperationId {
  const also = operations.get('createContent')?.also ?? [];
  const isByCreation = event === 'content.publish' && also.includes('operation.publish-content');
  return isByCreation ? 'createContent' : causes[event];
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
