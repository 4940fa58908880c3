// What causes the seven events through the API.

import type { EventName } from '../../openapi/generated/types.ts';
import type { OperationId } from '../../openapi/operations.ts';
import { callToEnd, canVary, gapOf, uniqueText } from '../calls/profile-calls.ts';
import { type Context, once } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { settle } from '../core/settled.ts';
import { failedPublication, laterPublication, publication } from './publications.ts';

/** Each event is caused twice a run: the first time with short texts that are not ASCII, and again with others. */
export type Round = 'first' | 'again';

interface Cause {
  /** What must be known for it; the last one is the cause itself. */
  operations: readonly OperationId[];
  /** The placeholder by which one cause differs from another. */
  varying: string;
  make(context: Context, round?: Round): Promise<Exchange>;
}

/** How each event is caused on the site under test. */
export const eventTriggers: Readonly<Record<EventName, Cause>> = {
  'content.publish': {
    operations: ['publishContent'],
    varying: 'contentID',
    make: async (context, round) =>
      callToEnd(context, 'publishContent', {
        values: { contentID: await contentId(context, 'publishContent', round) },
      }),
  },
  'content.update': {
    operations: ['updateContent'],
    varying: 'contentID',
    make: async (context, round) =>
      callToEnd(context, 'updateContent', {
        values: {
          contentID: await contentId(context, 'updateContent', round),
          ...contentValues(context, round),
        },
      }),
  },
  'content.delete': {
    operations: ['deleteContent'],
    varying: 'contentID',
    make: async (context, round) =>
      callToEnd(context, 'deleteContent', {
        values: { contentID: await contentId(context, 'deleteContent', round) },
      }),
  },
  'form.submit': {
    operations: ['submitForm'],
    varying: 'fields',
    make: (context, round) =>
      longOrShort(round, (text) =>
        callToEnd(context, 'submitForm', {
          values: { form: 'contact', fields: { name: uniqueText(context, 'visitor'), text } },
        }),
      ),
  },
  'comment.created': {
    operations: ['createComment'],
    varying: 'text',
    make: (context, round) =>
      longOrShort(round, (text) =>
        callToEnd(context, 'createComment', {
          values: { author: `sitepub-${context.runId}`, text: `${uniqueText(context, 'comment')} ${text}` },
        }),
      ),
  },
  'publish.complete': {
    operations: ['publishSite'],
    varying: 'note',
    make: async (context, round) =>
      round === 'again' ? laterPublication(context) : (await publication(context)).first,
  },
  'publish.failed': {
    operations: ['failPublish'],
    varying: 'note',
    make: (context) => failedPublication(context),
  },
};

/** Which events can be caused, in an order in which they can be. */
export function causableEvents({ operations }: Context): EventName[] {
  return (Object.keys(eventTriggers) as EventName[]).filter((event) =>
    eventTriggers[event].operations.every((id) => operations.has(id)),
  );
}

/** Whether an event is to be caused another time, in the tier `full` and by a call that is no repetition of the first one. */
export function canRecur(context: Context, event: EventName): boolean {
  if (context.options.tier !== 'full') return false;
  const { operations, varying } = eventTriggers[event];
  const isKeyed =
    event === 'publish.complete' && context.profile.values['idempotency.repetition'] === 'key-header';
  return isKeyed || operations.every((id) => canVary(context, id, varying));
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
async function contentId(context: Context, user: OperationId, round: Round = 'first'): Promise<unknown> {
  if (!canVary(context, user, 'contentID')) return undefined;
  const created = await once(context, createContent, round);
  if (created.values.id !== undefined) return created.values.id;
  throw new NotVerified(
    `no identifier of the created content is known; state id in ${gapOf(context, 'createContent')}`,
  );
}

function createContent(context: Context, round: Round): Promise<Exchange> {
  return callToEnd(context, 'createContent', { values: contentValues(context, round) });
}

function contentValues(context: Context, round: Round = 'first'): Record<string, unknown> {
  if (round === 'first') return { title: uniqueText(context, 'title'), text: 'Straße, 海港 & <b>🙂</b>' };
  return { title: `sitepub-${context.runId} title ${context.exchanges.length}`, text: 'All plain ASCII.' };
}

const shortText = 'Grüße, 你好 👋';
/** More bytes than a robot of any of the chat products takes in one message. */
const longText = '海港'.repeat(3_500);

/** The text is long when an event is caused again; where that is refused, it is as long as at first. */
async function longOrShort(
  round: Round | undefined,
  make: (text: string) => Promise<Exchange>,
): Promise<Exchange> {
  if (round !== 'again') return make(shortText);
  const { value, error } = await settle(() => make(longText));
  return error instanceof NotVerified ? make(shortText) : value();
}
