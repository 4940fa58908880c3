import { writeJson } from '../../core/parse-json.ts';
import { spacedJson } from '../json-styles.ts';
import type { Difference } from '../make-push.ts';
import { pushBodyOf } from '../push-body.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { refuses } from './refuses.ts';

/** Right pushes whose body was changed on the way. */
export const changedBodies: readonly ReceiverCheck[] = [
  refusesChange('byte-changed', 'a push of which one byte was changed', flipOneDigit),
  refusesChange('space-added', 'a push to which a space was added', (text) => `${text} `),
  refusesChange('space-put-in', 'a push into which a space was put', (text) => text.replace(':', ': ')),
  refusesChange('body-cut', 'a push of which the last byte was cut off', (text) => text.slice(0, -1)),
  refusesChange('body-emptied', 'a push of which the whole body was removed', () => ''),
  refusesChange('members-swapped', 'a push with two members in the place of each other', swapMembers),
  refuses(
    'signature-of-compact-body',
    'a push whose signature is that of its JSON parsed and written again without spaces',
    rewritten(writeJson),
  ),
  refuses(
    'signature-of-spaced-body',
    'a push whose signature is that of its JSON parsed and written again with spaces',
    rewritten(spacedJson),
  ),
];

function refusesChange(name: string, what: string, change: (text: string) => string): ReceiverCheck {
  return refuses(name, what, ({ factory }) => {
    const text = writeJson(factory.sampleEvent());
    return { body: pushBodyOf(change(text)), signature: { signed: pushBodyOf(text) } };
  });
}

function flipOneDigit(text: string): string {
  return text.replace(
    /("site_id":\d*)(\d)/,
    (_, start: string, digit: string) => `${start}${(Number(digit) + 1) % 10}`,
  );
}

function swapMembers(text: string): string {
  return text.replace(/("site_id":\d+),("site_name":"(?:[^"\\]|\\.)*")/, '$2,$1');
}

/** The body is indented by three spaces, as no JSON writer does by default. */
function rewritten(write: (value: unknown) => string): (context: ReceiverContext) => Difference {
  return ({ factory }) => {
    const event = factory.sampleEvent();
    const body = pushBodyOf(writeJson(event, 3));
    return { body, signature: { signed: pushBodyOf(write(event)) } };
  };
}
