// Pushes that the interface document permits: later additions, and unspecified details of numbers, timestamps and transport.
import { writeJson } from '../../core/parse-json.ts';
import type { EventBody } from '../event-samples.ts';
import { expectAccepted, requireAccepted, requireNoBreakdown, requireRejected } from '../expect-push.ts';
import type { Difference } from '../make-push.ts';
import { hasStatus, UnexpectedAnswer } from '../push-answer.ts';
import { advice, type ReceiverCheck } from '../receiver-check.ts';

export const undocumented: readonly ReceiverCheck[] = [
  acceptsPush('unknown-members', 'a valid push with undocumented members', {
    change: (body: EventBody) => ({
      ...body,
      event_id: 'e-1',
      data: { ...body.data, author: null, tags: [] },
    }),
  }),
  acceptsPush('unusual-numbers', 'a valid push with 1.0, 1e3, -0, 19 digits and a duplicate member', {
    change: (body: EventBody) => ({ ...body, data: { ...body.data, numbers: 'HERE' } }),
    write: (value) =>
      writeJson(value).replace(
        '"HERE"',
        '{"b":1.0,"10":1e3,"2":-0,"count":1234567890123456789,"twice":1,"twice":2}',
      ),
  }),
  acceptsPush('unknown-event', 'a valid push of an undocumented event', {
    change: (body: EventBody) => ({ ...body, event: 'site.archive' }),
    named: 'site.archive',
  }),
  acceptsPush('foreign-site', 'a valid push about an unknown site', {
    change: (body: EventBody) => ({ ...body, site_id: 2_147_480_000, site_name: 'No Such Site' }),
  }),
  acceptsPush('charset', 'a valid push with Content-Type application/json; charset=utf-8', {
    contentType: 'application/json; charset=utf-8',
  }),
  acceptsPush('timestamp-in-utc', 'a valid push whose timestamp ends with Z', {
    change: (body: EventBody) => ({
      ...body,
      timestamp: `${new Date().toISOString().slice(0, 19)}Z`,
    }),
  }),
  acceptsPush('timestamp-with-fraction', 'a valid push whose timestamp has milliseconds', {
    change: (body: EventBody) => ({ ...body, timestamp: new Date().toISOString().replace('Z', '+00:00') }),
  }),
  acceptsPush('expect-continue', 'a valid push whose sender waits for 100 Continue before the body', {
    transport: { expectContinue: true },
  }),
  advice('chunked', {
    what: 'a valid push in chunks, without Content-Length; 411 is also fine',
    pushes: 1,
    run: async (context) => {
      const trial = await context.sendNew({ transport: { chunked: true } });
      if (hasStatus(trial.answer, 411)) return;
      requireAccepted('a valid push in chunks, or 411', trial);
    },
  }),
  refusesSignature('no-prefix', 'a push with the valid hex without "sha256="', ''),
  refusesSignature('other-prefix', 'a push with the valid hex after "sha1="', 'sha1='),
  advice('signature-in-upper-case', {
    what: 'a push with the valid hex in the other case; accept or refuse',
    pushes: 1,
    run: async (context) => {
      const isUpper = context.factory.usual.hex === 'upper';
      const trial = await context.sendNew({ signature: { form: isUpper ? 'hex' : 'upper' } });
      requireNoBreakdown('a push with the valid hex in the other case', trial);
    },
  }),
  advice('other-methods', {
    what: 'GET, and an unsigned PUT',
    pushes: 2,
    run: async (context) => {
      const get = await context.sendNew({
        method: 'GET',
        signature: null,
        body: { bytes: Buffer.of(), shell: ':' },
      });
      // 501 is the HTTP status for an unknown method.
      if (!hasStatus(get.answer, 501)) requireNoBreakdown('GET', get);
      const put = await context.sendNew({ method: 'PUT', signature: null });
      if (!hasStatus(put.answer, 501)) requireNoBreakdown('an unsigned PUT', put);
      if (put.answer.kind === 'answered' && put.answer.status < 300)
        throw new UnexpectedAnswer('a refusal of an unsigned PUT, preferably 405', put);
    },
  }),
];

/** Only advice, because valid digits prove that the sender has the secret. */
function refusesSignature(name: string, what: string, prefix: string): ReceiverCheck {
  return advice(name, {
    what: `${what}; preferably refused`,
    pushes: 1,
    run: async (context) => requireRejected(what, await context.sendNew({ signature: { prefix } })),
  });
}

function acceptsPush(name: string, what: string, difference: Difference): ReceiverCheck {
  return advice(name, {
    what,
    pushes: 1,
    run: (context) => expectAccepted(context, what, difference),
  });
}
