// A right push that is refused: whether the receiver breaks its promise, or may have a reason of its own.
import { NotVerified } from '../../core/outcomes.ts';
import type { Difference } from '../make-push.ts';
import {
  type Answer,
  blamesSignature,
  describeAnswer,
  hasStatus,
  isAccepted,
  isBreakdown,
  type PushTrial,
  UnexpectedAnswer,
} from '../push-answer.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { isGuessed } from './seven-events.ts';

/** Throws NotVerified where something else than the receiver may be the cause, and UnexpectedAnswer where nothing can be. */
export async function judgeRefusal(context: ReceiverContext, trial: PushTrial): Promise<never> {
  const { answer } = trial;
  const { event } = context.factory.usual;
  const expected = `a 2xx status for a right push of ${event}`;
  if (answer.kind === 'silence') throw new UnexpectedAnswer(expected, trial);
  const remark = await remarkOn(context);
  if (remark !== '') throw new UnexpectedAnswer(expected, trial, remark);
  // Where the site is not known, its secret may not be known either.
  if (blamesSignature(answer) && context.options.site.id !== undefined)
    throw new UnexpectedAnswer(expected, trial, '; is SITEPUB_WEBHOOK_SECRET the secret of this receiver?');
  const doubts = isBreakdown(answer) && !hasStatus(answer, 503) ? [] : doubtsOn(context, answer);
  if (doubts.length === 0) throw new UnexpectedAnswer(expected, trial);
  if (answer.status >= 400 && answer.status < 500 && context.options.site.id === undefined)
    context.advise(
      'advice-foreign-site',
      new UnexpectedAnswer('a 2xx status for a site that it does not know', trial),
    );
  throw new NotVerified(
    `a right push of ${event} was refused (${describeAnswer(answer)}): ${doubts.join('; ')}`,
  );
}

/** Wrong pushes that a receiver with a known mistake accepts, with the remark for the report. */
const mistakes: readonly (readonly [difference: Difference, remark: string])[] = [
  [
    { signature: { form: 'upper' } },
    'the same with its hex in upper case is accepted: where the deployment signs so, state webhook.signature-hex: upper in a profile (--profile)',
  ],
  [{ signature: { prefix: '' } }, 'the same without "sha256=" before the hex is accepted'],
  [{ signature: null }, 'the same without a signature is accepted'],
  [{ signature: { form: 'base64' } }, 'the same with its digest in base64 is accepted'],
  [{ signature: { algorithm: 'sha1', prefix: 'sha1=' } }, 'the same with an HMAC of SHA-1 is accepted'],
];

async function remarkOn(context: ReceiverContext): Promise<string> {
  for (const [difference, remark] of mistakes) {
    const trial = await context.sendNew(difference);
    if (isAccepted(trial.answer)) return `; ${remark}`;
  }
  return '';
}

/** What else may have been refused than the signature; empty where all of that is known to be right. */
function doubtsOn({ options, factory }: ReceiverContext, answer: Answer): string[] {
  const { site, knowsEvents } = options;
  const isStated = [
    [!hasStatus(answer, 301, 302, 303, 307, 308), 'redirects are not followed, so give its final address'],
    [!hasStatus(answer, 404, 405, 410), 'is it the address, path included, that takes the pushes?'],
    [!hasStatus(answer, 403), 'does it take pushes from some addresses or senders only?'],
    [!hasStatus(answer, 503), 'it says that it is not available'],
    [!blamesSignature(answer), 'is SITEPUB_WEBHOOK_SECRET the secret of this receiver?'],
    [site.id !== undefined, 'name a site that the receiver knows with --site-id'],
    [site.id === undefined || site.name !== undefined, 'name that site as it is called with --site-name'],
    [knowsEvents, 'name the events that it takes with --events'],
    [
      !knowsEvents || !isGuessed({ options }, factory.usual.event),
      `the document does not show the data of ${factory.usual.event}, and ours are a guess; state event-data.${factory.usual.event} in a profile (--profile)`,
    ],
  ] as const;
  return isStated.flatMap(([isKnown, doubt]) => (isKnown ? [] : [doubt]));
}
