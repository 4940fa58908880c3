import { writeJson } from '../../core/parse-json.ts';
import { insideOf } from '../cut-body.ts';
import type { EventBody } from '../event-samples.ts';
import { escapedJson, reversed, spacedJson, windowsJson } from '../json-styles.ts';
import type { Difference } from '../make-push.ts';
import { isAccepted, type PushTrial, UnexpectedAnswer } from '../push-answer.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import type { SentPush } from '../sent-push.ts';

/** Right pushes in other forms: a receiver has to accept what the document leaves to the sender. */
export const pushForms: readonly ReceiverCheck[] = [
  row('non-ascii-text', 'a right push with Chinese, an emoji and U+2028 in its texts', { change: inChinese }),
  row('escaped-text', 'a right push with \\uXXXX and \\/ in its texts', {
    change: inChinese,
    write: escapedJson,
  }),
  row('pretty-printed', 'a right push in indented JSON', {
    write: (value) => writeJson(value, 2),
  }),
  row('spaced', 'a right push with a space after each comma and colon', { write: spacedJson }),
  row('trailing-newline', 'a right push that ends in a line feed', {
    write: (value) => `${writeJson(value)}\n`,
  }),
  row('crlf-and-tabs', 'a right push with tabs, CRLF and empty lines around it', { write: windowsJson }),
  row('member-order', 'a right push with its members in the opposite order', { change: reversed }),
  row('lower-case-headers', 'a right push with its header names in lower case', {
    headers: named((name) => name.toLowerCase()),
  }),
  row('upper-case-headers', 'a right push with its header names in upper case', {
    headers: named((name) => name.toUpperCase()),
  }),
  row('further-headers', 'a right push with further headers', {
    headers: (headers) => [...headers, ...furtherHeaders],
  }),
  row('in-pieces', 'a right push whose body comes in parts, cut inside 已 and 🎉', {
    change: inChinese,
    transport: { cut: insideOf('已', '🎉'), pauseMs: 20 },
  }),
  row('byte-by-byte', 'a right push of which a text comes byte by byte', {
    change: inChinese,
    transport: { cut: insideOf('已完成 🎉'), pauseMs: 20 },
  }),
];

function row(name: string, what: string, difference: Difference): ReceiverCheck {
  return {
    id: `recv-1-${name}`,
    requirement: 'RECV-1',
    what,
    pushes: 1,
    run: async (context) => {
      const trial = await context.sendNew(difference);
      if (isAccepted(trial.answer)) return;
      throw new UnexpectedAnswer(`a 2xx status for ${what}`, trial, await remarkOnParts(context, trial));
    },
  };
}

async function remarkOnParts({ send }: ReceiverContext, { push }: PushTrial): Promise<string> {
  if (!push.transport) return '';
  const { answer } = await send({ ...push, transport: {} });
  return isAccepted(answer) ? '; in one part it is accepted: join the bytes, and decode them then' : '';
}

/** Adds characters to every text of the data; the name of the site stays, since a receiver may refuse sites that it does not know. */
function inChinese(body: EventBody): EventBody {
  const data = Object.entries(body.data).map(([name, value]) => [
    name,
    typeof value === 'string' ? `${value} 已完成 🎉\u2028a/b & "c" <3` : value,
  ]);
  return { ...body, data: Object.fromEntries(data) };
}

function named(change: (name: string) => string): (headers: SentPush['headers']) => SentPush['headers'] {
  return (headers) => headers.map(([name, value]) => [change(name), value]);
}

const furtherHeaders: SentPush['headers'] = [
  ['Accept-Encoding', 'gzip'],
  ['X-Request-Id', '7f9c0f6e'],
  ['Traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
];
