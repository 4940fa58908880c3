import { eventNames } from '../../../openapi/event-names.ts';
import type { EventName } from '../../../openapi/generated/types.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { describeAnswer, isAccepted, isBreakdown, type PushTrial, UnexpectedAnswer } from '../push-answer.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';

/** A right push of each of the events. */
export const eventPushes: readonly ReceiverCheck[] = eventNames.map((name) => ({
  id: `recv-1-${name.replace('.', '-')}`,
  requirement: 'RECV-1',
  what: `a right push of ${name}`,
  pushes: 1,
  run: (context) => acceptEvent(context, name),
}));

/**
 * The data of the events but publish.complete are a gap: a receiver that refuses a guess breaks no promise. Neither does one that refuses an
 * event to which it is not subscribed.
 */
async function acceptEvent(context: ReceiverContext, name: EventName): Promise<void> {
  if (!context.options.events.includes(name))
    throw new NotVerified(`the receiver is not subscribed to ${name}, as --events says`);
  const trial = await context.sendNew({ event: name });
  if (isAccepted(trial.answer)) return;
  if (isGuessed(context, name)) throw new NotVerified(guessedReason(name, trial));
  if (!context.options.knowsEvents && !isBreakdown(trial.answer))
    throw new NotVerified(unchosenReason(name, trial));
  throw new UnexpectedAnswer(`a 2xx status for a right push of ${name}`, trial);
}

/** Whether the data of an event are stated neither in the document nor in the profile. */
export function isGuessed({ options }: Pick<ReceiverContext, 'options'>, name: EventName): boolean {
  return name !== 'publish.complete' && !options.profile.stated.has(`event-data.${name}`);
}

function unchosenReason(name: EventName, { answer }: PushTrial): string {
  return `${name} was refused (${describeAnswer(answer)}), perhaps because the receiver is not subscribed to it; name its events with --events`;
}

function guessedReason(name: EventName, { answer }: PushTrial): string {
  return `${name} was refused (${describeAnswer(answer)}), perhaps for its data, which the document does not show and we guess; state event-data.${name} in a profile (--profile), or name the receiver's events with --events`;
}
