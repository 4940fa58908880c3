import { writeJson } from '../../core/parse-json.ts';
import { spacedJson } from '../json-styles.ts';
import type { Difference } from '../make-push.ts';
import { pushBodyOf } from '../push-body.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { refuses } from './refuses.ts';

/** Valid pushes whose body was changed in transit. */
export const changedBodies: readonly ReceiverCheck[] = [
  refusesChange('byte-changed', 'a push with one changed byte', flipOneDigit),
  refusesChange('space-added', 'a push with an added space at the end', (text) => `${text} `),
  refusesChange('space-put-in', 'a push with an inserted space', (text) => text.replace(':', ': ')),
  refusesChange('body-cut', 'a push without its last byte', (text) => text.slice(0, -1)),
  refusesChange('body-emptied', 'a push with an empty body', () => ''),
  refusesChange('members-swapped', 'a push with two members swapped', swapMembers),
  refuses(
    'signature-of-compact-body',
    'a push with the signature of its JSON reserialized without spaces',
    rewritten(writeJson),
  ),
  refuses(
    'signature-of-spaced-body',
    'a push with the signature of its JSON reserialized with spaces',
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

/** Indents by three spaces, because no JSON writer does so by default. */
function rewritten(write: (value: unknown) => string): (context: ReceiverContext) => Difference {
  return ({ factory }) => {
    const event = factory.sampleEvent();
    const body = pushBodyOf(writeJson(event, 3));
    return { body, signature: { signed: pushBodyOf(write(event)) } };
  };
}
