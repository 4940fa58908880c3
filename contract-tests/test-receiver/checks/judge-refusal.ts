// Judges whether a refused valid push breaks a promise, or whether the receiver may have another reason.
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

/** Throws NotVerified if the receiver may have a valid reason, otherwise UnexpectedAnswer. */
export async function judgeRefusal(context: ReceiverContext, trial: PushTrial): Promise<never> {
  const { answer } = trial;
  const { event } = context.factory.usual;
  const expected = `a 2xx status for a valid push of ${event}`;
  if (answer.kind === 'silence') throw new UnexpectedAnswer(expected, trial);
  const remark = await remarkOn(context);
  if (remark !== '') throw new UnexpectedAnswer(expected, trial, remark);
  // The receiver may not know the secret of an unknown site.
  if (blamesSignature(answer) && context.options.site.id !== undefined)
    throw new UnexpectedAnswer(expected, trial, '; is SITEPUB_WEBHOOK_SECRET the secret of this receiver?');
  const doubts = isBreakdown(answer) && !hasStatus(answer, 503) ? [] : doubtsOn(context, answer);
  if (doubts.length === 0) throw new UnexpectedAnswer(expected, trial);
  if (answer.status >= 400 && answer.status < 500 && context.options.site.id === undefined)
    context.advise('advice-foreign-site', new UnexpectedAnswer('a 2xx status for an unknown site', trial));
  throw new NotVerified(
    `the receiver refused a valid push of ${event} (${describeAnswer(answer)}): ${doubts.join('; ')}`,
  );
}

/** Invalid pushes that receivers with common mistakes accept. */
const mistakes: readonly (readonly [difference: Difference, remark: string])[] = [
  [
    { signature: { form: 'upper' } },
    'the receiver accepts the push with upper-case hex; if the deployment signs that way, state webhook.signature-hex: upper in the profile (--profile)',
  ],
  [{ signature: { prefix: '' } }, 'the receiver accepts the push without "sha256=" before the hex'],
  [{ signature: null }, 'the receiver accepts the push without a signature'],
  [{ signature: { form: 'base64' } }, 'the receiver accepts the push with a base64 digest'],
  [{ signature: { algorithm: 'sha1', prefix: 'sha1=' } }, 'the receiver accepts the push with HMAC-SHA1'],
];

async function remarkOn(context: ReceiverContext): Promise<string> {
  for (const [difference, remark] of mistakes) {
    const trial = await context.sendNew(difference);
    if (isAccepted(trial.answer)) return `; ${remark}`;
  }
  return '';
}

/** Possible reasons for the refusal other than the signature. */
function doubtsOn({ options, factory }: ReceiverContext, answer: Answer): string[] {
  const { site, knowsEvents } = options;
  const isStated = [
    [!hasStatus(answer, 301, 302, 303, 307, 308), 'it redirects; pass its final address'],
    [!hasStatus(answer, 404, 405, 410), 'check the address and path of the receiver'],
    [!hasStatus(answer, 403), 'it may accept pushes only from some addresses or senders'],
    [!hasStatus(answer, 503), 'it reports that it is unavailable'],
    [!blamesSignature(answer), 'is SITEPUB_WEBHOOK_SECRET the secret of this receiver?'],
    [site.id !== undefined, 'pass a site that the receiver knows with --site-id'],
    [site.id === undefined || site.name !== undefined, 'pass the name of that site with --site-name'],
    [knowsEvents, 'pass the events that it accepts with --events'],
    [
      !knowsEvents || !isGuessed({ options }, factory.usual.event),
      `the interface document does not show the data of ${factory.usual.event}, so the suite guessed it; state event-data.${factory.usual.event} in the profile (--profile)`,
    ],
  ] as const;
  return isStated.flatMap(([isKnown, doubt]) => (isKnown ? [] : [doubt]));
}
