// Bodies that are not events, with a valid signature. The sender has the secret, so these are mistakes, not attacks.
import { requireNoBreakdown } from '../expect-push.ts';
import { type PushBody, pushBodyOf } from '../push-body.ts';
import { advice, type ReceiverCheck } from '../receiver-check.ts';

const nested = 10_000;

/** The shell command stays short. */
function nestedArrays(depth: number): PushBody {
  const run = (bracket: string) => `head -c ${depth} /dev/zero | tr '\\0' '${bracket}'`;
  const bytes = Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  return { bytes, shell: `{ ${run('[')}; ${run(']')}; }` };
}

const kinds: readonly (readonly [name: string, what: string, content: string | Buffer | PushBody])[] = [
  ['no-json', 'text that is not JSON', 'Hello, World!'],
  ['empty-body', 'an empty body', ''],
  ['array', 'a JSON array', '[]'],
  ['null', 'JSON null', 'null'],
  ['empty-object', 'an empty object', '{}'],
  [
    'null-members',
    'an event with only null values',
    '{"event":null,"timestamp":null,"site_id":null,"site_name":null,"data":null}',
  ],
  [
    'wrong-types',
    'an event with wrong types',
    '{"event":{},"timestamp":0,"site_id":"x","site_name":[],"data":"y"}',
  ],
  ['byte-order-mark', 'JSON after a byte order mark', '\uFEFF{"event":"publish.complete"}'],
  ['invalid-utf-8', 'bytes that are not UTF-8', Buffer.from('7b2261223a22fffec328227d', 'hex')],
  [
    'prototype',
    'an event with a member "__proto__"',
    '{"event":"publish.complete","__proto__":{"isAdmin":true},"data":{"__proto__":[]}}',
  ],
  ['deep-nesting', `${nested} nested arrays`, nestedArrays(nested)],
];

export const garbage: readonly ReceiverCheck[] = kinds.map(([name, what, content]) =>
  advice(`signed-${name}`, {
    what: `${what}, with a valid signature; preferably 400`,
    pushes: 1,
    run: async (context) => {
      const trial = await context.sendNew({ body: isBody(content) ? content : pushBodyOf(content) });
      requireNoBreakdown(`${what} with a valid signature`, trial);
    },
  }),
);

function isBody(content: string | Buffer | PushBody): content is PushBody {
  return typeof content === 'object' && 'shell' in content;
}
