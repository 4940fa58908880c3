// What causes the seven events through the API.

import type { EventName } from '../openapi/generated/types.ts';
import type { OperationId } from '../openapi/operations.ts';
import { type Context, once } from './context.ts';
import type { Exchange } from './exchange.ts';
import { NotVerified } from './outcomes.ts';
import { callToEnd, canVary, gapOf, uniqueText } from './own-calls.ts';
import { failedPublication, publication } from './publications.ts';

interface Cause {
  /** What must be known for it; the last one is the cause itself. */
  operations: readonly OperationId[];
  make(context: Context): Promise<Exchange>;
}

/** How each event is caused on the site under test. */
export const causes: Readonly<Record<EventName, Cause>> = {
  'content.publish': {
    operations: ['publishContent'],
    make: async (context) =>
      callToEnd(context, 'publishContent', {
        values: { contentID: await contentId(context, 'publishContent') },
      }),
  },
  'content.update': {
    operations: ['updateContent'],
    make: async (context) =>
      callToEnd(context, 'updateContent', {
        values: { contentID: await contentId(context, 'updateContent'), ...contentValues(context) },
      }),
  },
  'content.delete': {
    operations: ['deleteContent'],
    make: async (context) =>
      callToEnd(context, 'deleteContent', {
        values: { contentID: await contentId(context, 'deleteContent') },
      }),
  },
  'form.submit': {
    operations: ['submitForm'],
    make: (context) =>
      callToEnd(context, 'submitForm', {
        values: { form: 'contact', fields: { name: uniqueText(context, 'visitor'), text: 'Grüße, 你好 👋' } },
      }),
  },
  'comment.created': {
    operations: ['createComment'],
    make: (context) =>
      callToEnd(context, 'createComment', {
        values: { author: `sitepub-${context.runId}`, text: uniqueText(context, 'comment') },
      }),
  },
  'publish.complete': {
    operations: ['publishSite'],
    make: async (context) => (await publication(context)).first,
  },
  'publish.failed': { operations: ['failPublish'], make: failedPublication },
};

/** Which events can be caused, in an order in which they can be. */
export function causableEvents({ operations }: Context): EventName[] {
  return (Object.keys(causes) as EventName[]).filter((event) =>
    causes[event].operations.every((id) => operations.has(id)),
  );
}

/** The event whose pushes are left to fail: one that nothing else in a run causes, if there is one. */
export function eventToFail(context: Context): EventName | undefined {
  const preferred: readonly EventName[] = [
    'form.submit',
    'comment.created',
    'content.update',
    'content.publish',
    'content.delete',
    'publish.failed',
    'publish.complete',
  ];
  const causable = causableEvents(context);
  return preferred.find((event) => causable.includes(event));
}

/** A content item that is published, changed and deleted in turn. */
async function contentId(context: Context, user: OperationId): Promise<unknown> {
  if (!canVary(context, user, 'contentID')) return undefined;
  const created = await once(context, 'content', () =>
    callToEnd(context, 'createContent', { values: contentValues(context) }),
  );
  if (created.values.id !== undefined) return created.values.id;
  throw new NotVerified(
    `no identifier of the created content is known; state id in ${gapOf(context, 'createContent')}`,
  );
}

function contentValues(context: Context): Record<string, unknown> {
  return { title: uniqueText(context, 'title'), text: 'Straße, 海港 & <b>🙂</b>' };
}
