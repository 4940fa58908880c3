import { spacedJson } from '../json-styles.ts';
import type { Difference } from '../make-push.ts';
import { bodyOf } from '../push-body.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { refuses } from './refuses.ts';

/** Pushes that were right, and whose body was changed on the way. */
export const changedBodies: readonly ReceiverCheck[] = [
  refuses('byte-changed', 'a push of which one byte was changed', changed(flipOneDigit)),
  refuses(
    'space-added',
    'a push to which a space was added',
    changed((text) => `${text} `),
  ),
  refuses(
    'space-put-in',
    'a push in which a space was put',
    changed((text) => text.replace(':', ': ')),
  ),
  refuses(
    'body-cut',
    'a push of which the last byte was cut off',
    changed((text) => text.slice(0, -1)),
  ),
  refuses(
    'body-emptied',
    'a push of which the whole body was taken away',
    changed(() => ''),
  ),
  refuses('members-swapped', 'a push with two members in the place of each other', changed(swapMembers)),
  refuses(
    'signature-of-compact-body',
    'a push whose signature is that of its JSON parsed and written again without spaces',
    rewritten(JSON.stringify),
  ),
  refuses(
    'signature-of-spaced-body',
    'a push whose signature is that of its JSON parsed and written again with spaces',
    rewritten(spacedJson),
  ),
];

function changed(change: (text: string) => string): (context: ReceiverContext) => Difference {
  return ({ forge }) => {
    const text = JSON.stringify(forge.event());
    return { body: bodyOf(change(text)), signature: { signed: bodyOf(text) } };
  };
}

function flipOneDigit(text: string): string {
  return text.replace('"site_id":101', '"site_id":102');
}

function swapMembers(text: string): string {
  return text.replace(/("site_id":\d+),("site_name":"[^"]*")/, '$2,$1');
}

/** The raw bytes are indented, as nobody's writer makes them by itself. */
function rewritten(write: (value: unknown) => string): (context: ReceiverContext) => Difference {
  return ({ forge }) => {
    const event = forge.event();
    const body = bodyOf(JSON.stringify(event, null, 3));
    return { body, signature: { signed: bodyOf(write(event)) } };
  };
}
