// The calls that cause the seven events.
import type { EventName } from '../../openapi/generated/types.ts';
import type { OperationId } from '../../openapi/operations.ts';
import { callToEnd, canVary, gapOf, hasKeyHeader, uniqueText } from '../calls/profile-calls.ts';
import { type Context, forget, once, replace } from '../context.ts';
import { causeOf, neededFor } from '../core/event-operations.ts';
import type { Exchange } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { settle } from '../core/settled.ts';
import { callAs, type Round } from './call-as.ts';
import { failedPublication, laterPublication, separatePublication } from './publications.ts';
import { repetitionOf } from './repeated-writes.ts';

interface EventTrigger {
  /** The placeholder in which two such calls differ. */
  varying: string;
  cause(context: Context, round?: Round): Promise<Exchange>;
}

/** How an event is caused on the site under test. */
export function triggerOf({ operations }: Context, event: EventName): EventTrigger {
  const isByCreation = causeOf(operations, event) === 'createContent';
  return isByCreation ? publicationByCreation : eventTriggers[event];
}

const eventTriggers: Readonly<Record<EventName, EventTrigger>> = {
  'content.publish': contentTrigger('publishContent'),
  'content.update': contentTrigger('updateContent', contentValues),
  'content.delete': contentTrigger('deleteContent'),
  'form.submit': {
    varying: 'fields',
    cause: (context, round) =>
      longOrShort(round, (text) =>
        callAs(
          context,
          { id: 'submitForm', round },
          {
            values: { form: 'contact', fields: { name: uniqueText(context, 'visitor'), text } },
          },
        ),
      ),
  },
  'comment.created': {
    varying: 'text',
    cause: (context, round) =>
      longOrShort(round, (text) =>
        callAs(
          context,
          { id: 'createComment', round },
          {
            values: { author: `sitepub-${context.runId}`, text: `${uniqueText(context, 'comment')} ${text}` },
          },
        ),
      ),
  },
  'publish.complete': {
    varying: 'note',
    cause: async (context, round) =>
      round === 'again'
        ? laterPublication(context, round)
        : (await repetitionOf(context, 'publishSite')).first,
  },
  'publish.failed': {
    varying: 'note',
    cause: (context, round) => failedPublication(context, round),
  },
};

/** A call about the content item of a round. */
function contentTrigger(
  id: OperationId,
  valuesOf: (context: Context, round?: Round) => object = () => ({}),
): EventTrigger {
  return {
    varying: 'contentID',
    cause: async (context, round) =>
      callAs(
        context,
        { id, round },
        {
          values: { contentID: await contentId(context, id, round), ...valuesOf(context, round) },
        },
      ),
  };
}

/** Content is created anew each time; the later calls of the round are about the same. */
const publicationByCreation: EventTrigger = {
  varying: 'title',
  cause: async (context, round = 'first') => {
    const created = await createContent(context, round);
    replace(context, createContent, created, round);
    return created;
  },
};

/** Causes an event apart from those of the event run, whose calls would be taken for its repetition otherwise, or change nothing any more. */
export async function causeApart(context: Context, event: EventName): Promise<void> {
  if (event === 'publish.complete') await separatePublication(context);
  else await triggerOf(context, event).cause(context);
  forget(context, createContent);
}

/** The events that can be caused, in a possible order. */
export function causableEvents(context: Context): EventName[] {
  return (Object.keys(eventTriggers) as EventName[]).filter((event) =>
    neededFor(context.operations, event).every((id) => context.operations.has(id)),
  );
}

/** Whether to cause an event again: in the tier `full`, and where the second call is no repetition of the first. */
export function canRecur(context: Context, event: EventName): boolean {
  if (context.options.tier !== 'full') return false;
  const { varying } = triggerOf(context, event);
  const isKeyed = event === 'publish.complete' && hasKeyHeader(context);
  return isKeyed || canVary(context, causeOf(context.operations, event), varying);
}

/** The event whose pushes are to fail: preferably one that nothing else in a run causes. */
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

/** The identifier of the content item that a round publishes, changes and deletes. */
async function contentId(context: Context, user: OperationId, round: Round = 'first'): Promise<unknown> {
  if (!canVary(context, user, 'contentID')) return undefined;
  const created = await once(context, createContent, round);
  if (!['getContent', 'listContents'].some((id) => context.operations.has(id)))
    await settle(() => once(context, createOtherContent));
  if (created.values.id !== undefined) return created.values.id;
  throw new NotVerified(
    `the identifier of the created content is unknown; state id in ${gapOf(context, 'createContent')}`,
  );
}

function createContent(context: Context, round: Round): Promise<Exchange> {
  return callToEnd(context, 'createContent', { values: contentValues(context, round) });
}

/** Where content can't be read, a second creation shows that answers have an identifier of what is created, not one of something else. */
function createOtherContent(context: Context): Promise<Exchange> {
  return callToEnd(context, 'createContent', { values: contentValues(context, 'again') });
}

function contentValues(context: Context, round: Round = 'first'): Record<string, unknown> {
  if (round === 'first') return { title: uniqueText(context, 'title'), text: 'Straße, 海港 & <b>🙂</b>' };
  return { title: `sitepub-${context.runId} title ${context.exchanges.length}`, text: 'All plain ASCII.' };
}

/** A short text outside ASCII. */
export const shortText = 'Grüße, 你好 👋';
/** More bytes than a buffer of 64 KiB, more than any chat robot accepts in one message, and a short one. */
const laterTexts = ['海港'.repeat(11_500), '海港'.repeat(3_500), shortText];

/** Uses the longest text in the second round that the deployment accepts. */
async function longOrShort(
  round: Round | undefined,
  send: (text: string) => Promise<Exchange>,
): Promise<Exchange> {
  if (round !== 'again') return send(shortText);
  const [longest = shortText, ...shorter] = laterTexts;
  let sent = await settle(() => send(longest));
  for (const text of shorter) if (sent.error instanceof NotVerified) sent = await settle(() => send(text));
  return sent.value();
}
