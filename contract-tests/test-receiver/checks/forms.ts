import { writeJson } from '../../core/parse-json.ts';
import type { EventBody } from '../event-samples.ts';
import { escapedJson, reversed, spacedJson, windowsJson } from '../json-styles.ts';
import type { Difference } from '../make-push.ts';
import { isAccepted, type PushTrial, UnexpectedAnswer } from '../push-answer.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { insideOf, type SentPush } from '../sent-push.ts';

/** Valid pushes in other forms, which the interface document permits and a receiver must accept. */
export const pushForms: readonly ReceiverCheck[] = [
  row('non-ascii-text', 'a valid push with Chinese, an emoji and U+2028 in its strings', {
    change: inChinese,
  }),
  row('escaped-text', 'a valid push with \\uXXXX and \\/ in its strings', {
    change: inChinese,
    write: escapedJson,
  }),
  row('pretty-printed', 'a valid push in indented JSON', {
    write: (value) => writeJson(value, 2),
  }),
  row('spaced', 'a valid push with a space after each comma and colon', { write: spacedJson }),
  row('trailing-newline', 'a valid push that ends with a line feed', {
    write: (value) => `${writeJson(value)}\n`,
  }),
  row('crlf-and-tabs', 'a valid push with tabs, CRLF and surrounding white space', { write: windowsJson }),
  row('member-order', 'a valid push with its members in reverse order', { change: reversed }),
  row('lower-case-headers', 'a valid push with its header names in lower case', {
    headers: named((name) => name.toLowerCase()),
  }),
  row('upper-case-headers', 'a valid push with its header names in upper case', {
    headers: named((name) => name.toUpperCase()),
  }),
  row('further-headers', 'a valid push with additional headers', {
    headers: (headers) => [...headers, ...furtherHeaders],
  }),
  row('in-pieces', 'a valid push whose body arrives in parts, cut inside 已 and 🎉', {
    change: inChinese,
    transport: { cut: insideOf('已', '🎉'), pauseMs: 20 },
  }),
  row('byte-by-byte', 'a valid push whose text arrives byte by byte', {
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
  return isAccepted(answer) ? '; in one part it is accepted: join all bytes before you decode them' : '';
}

/** Adds characters to every string in `data`, but not to the site name, because a receiver may refuse unknown sites. */
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
