import { eventNames } from '../../../openapi/event-names.ts';
import type { EventName } from '../../../openapi/generated/types.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { describeAnswer, isAccepted, isBreakdown, type PushTrial, UnexpectedAnswer } from '../push-answer.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';

export const eventPushes: readonly ReceiverCheck[] = eventNames.map((name) => ({
  id: `recv-1-${name.replace('.', '-')}`,
  requirement: 'RECV-1',
  what: `a valid push of ${name}`,
  pushes: 1,
  run: (context) => acceptEvent(context, name),
}));

/** A receiver may refuse guessed data (a gap for all events except publish.complete) and events that it does not subscribe to. */
async function acceptEvent(context: ReceiverContext, name: EventName): Promise<void> {
  if (!context.options.events.includes(name))
    throw new NotVerified(`by --events, the receiver does not subscribe to ${name}`);
  const trial = await context.sendNew({ event: name });
  if (isAccepted(trial.answer)) return;
  if (isGuessed(context, name)) throw new NotVerified(guessedReason(name, trial));
  if (!context.options.knowsEvents && !isBreakdown(trial.answer))
    throw new NotVerified(unchosenReason(name, trial));
  throw new UnexpectedAnswer(`a 2xx status for a valid push of ${name}`, trial);
}

/** Whether neither the interface document nor the profile states the data of an event. */
export function isGuessed({ options }: Pick<ReceiverContext, 'options'>, name: EventName): boolean {
  return name !== 'publish.complete' && !options.profile.stated.has(`event-data.${name}`);
}

function unchosenReason(name: EventName, { answer }: PushTrial): string {
  return `the receiver refused ${name} (${describeAnswer(answer)}), perhaps because it does not subscribe to it; pass its events with --events`;
}

function guessedReason(name: EventName, { answer }: PushTrial): string {
  return `the receiver refused ${name} (${describeAnswer(answer)}), perhaps because the suite guessed its data; state event-data.${name} in the profile (--profile) or pass the receiver's events with --events`;
}
