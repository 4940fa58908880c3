import { expect, expectTypeOf, test } from 'vitest';
import type { WebhookEvent } from './event.ts';
import { createFetchHandler } from './fetch.ts';
import type { Ids } from './identifiers.ts';
import type { ReceiverOptions } from './receive.ts';
import { event, headersOf, secret, text } from './testing.ts';
import { verifyWebhook } from './verify-webhook.ts';

const id = '1892345678901234567';

/** The event with other data and, if given, another site. */
function bodyOf(data: string, site = '101'): string {
  return text.replace('"site_id":101', `"site_id":${site}`).replace(/"data":.*}/, `"data":${data}}`);
}

async function verify<I extends Ids>(body: string, ids: I) {
  const result = await verifyWebhook({ body, headers: headersOf(body), secret, ids });
  return result.ok ? result.event : result;
}

test.for([
  ['"site_id"', bodyOf('{}', id)],
  ['"site_id"', bodyOf('{}', `-${id}`)],
  ['"site_id"', bodyOf('{}', '9007199254740992')],
  ['"site_id"', bodyOf('{}', '1.892345678901234567e18')],
  ['"version"', bodyOf(`{"version":${id}}`)],
  ['"content_id"', bodyOf(`{"content_id":${id}}`)],
  ['"contentId"', bodyOf(`{"entry":[{"contentId":${id}}]}`)],
  ['"id"', bodyOf(`{"entry":{"id":1e400}}`)],
  ['"page_ids"', bodyOf(`{"page_ids":[1,${id}]}`)],
] as const)('refuses %s by default if a number would round it: %s', async ([name, body]) => {
  const result = await verifyWebhook({ body, headers: headersOf(body), secret });
  expect(result).toMatchObject({ ok: false, reason: 'unsafe-integer' });
  expect(result).toMatchObject({
    message: `the push is signed correctly, but in its body ${name} is an integer too large for a JavaScript number; set ids to 'string' or 'bigint'`,
  });
});

test('does not change other integers and texts', async () => {
  const data = `{"started_ns":1767294245000000000,"price":1e30,"id":"${id}","note":"id\\":${id}","paid":${id}}`;
  const body = bodyOf(data, '9007199254740991');
  expect(await verify(body, 'number')).toEqual({
    ...event,
    site_id: 9007199254740991,
    data: JSON.parse(data) as unknown,
  });
});

test('reads every identifier as digits with ids "string", short ones too', async () => {
  const data = `{"id":7,"version":${id},"pages":12,"entry":{"content_id":1e2},"page_ids":[1,${id}],"at_ns":${id},"form_id":null,"post_id":"a-1"}`;
  expect(await verify(bodyOf(data, id), 'string')).toEqual({
    ...event,
    site_id: id,
    data: {
      ...{ id: '7', version: id, pages: 12, entry: { content_id: '100' }, page_ids: ['1', id] },
      ...{ at_ns: Number(id), form_id: null, post_id: 'a-1' },
    },
  });
});

test('reads every identifier as bigint with ids "bigint"', async () => {
  const body = bodyOf(`{"version":${id},"pages":12,"page_ids":[1,${id}]}`, '-3');
  expect(await verify(body, 'bigint')).toEqual({
    ...event,
    site_id: -3n,
    data: { version: BigInt(id), pages: 12, page_ids: [1n, BigInt(id)] },
  });
});

test.for(['string', 'bigint'] as const)('with ids %j refuses a value that is not an integer', async (ids) => {
  expect(await verify(bodyOf('{}', `"${id}"`), ids)).toMatchObject({ reason: 'not-an-event' });
  expect(await verify(bodyOf('{}', '1.5'), ids)).toMatchObject({ reason: 'not-an-event' });
  // An exponent does not state all digits exactly.
  expect(await verify(bodyOf('{}', '1.892345678901234567e18'), ids)).toMatchObject({
    reason: 'unsafe-integer',
    message: expect.stringContaining('pass it as plain digits, at most 100'),
  });
  expect(await verify(bodyOf(`{"id":${'9'.repeat(101)}}`), ids)).toMatchObject({
    reason: 'unsafe-integer',
  });
});

test('changes no text, name, escape or order when reading identifiers', async () => {
  const data =
    '{"a":"\\"site_id\\":1","\\"id\\"" : "n1","t":"t","n":"n12","id":"\\u006e7","2":-0.5,"1":[true,null,"\\\\",1E5]}';
  const body = bodyOf(data, id).replaceAll(',', ' ,\n\t');
  const read = await verify(body, 'string');
  expect(read).toEqual({ ...event, site_id: id, data: JSON.parse(data) as unknown });
  expect(JSON.stringify(read)).toBe(JSON.stringify({ ...JSON.parse(body), site_id: id }));
});

test('refuses a signature over other digits', async () => {
  const headers = headersOf(bodyOf('{}', '1892345678901234568'));
  const result = await verifyWebhook({ body: bodyOf('{}', id), headers, secret, ids: 'string' });
  expect(result).toMatchObject({ reason: 'mismatch' });
});

test('a handler passes on identifiers with the configured type, and answers 500 by default', async () => {
  const body = bodyOf('{}', id);
  const seen: unknown[] = [];
  const post = async <I extends Ids>(options: Omit<ReceiverOptions<I>, 'secret' | 'onEvent'>) => {
    const handle = createFetchHandler({ secret, onEvent: (one) => void seen.push(one.site_id), ...options });
    return handle(new Request('http://host/', { method: 'POST', body, headers: headersOf(body) }));
  };
  expect((await post({ ids: 'bigint' })).status).toBe(200);
  const rejected: string[] = [];
  const answer = await post({ onRejected: ({ reason }) => void rejected.push(reason) });
  expect([answer.status, await answer.json()]).toMatchObject([500, { error: 'unsafe-integer' }]);
  expect([seen, rejected]).toEqual([[BigInt(id)], ['unsafe-integer']]);
});

test('throws TypeError for an unknown value of ids', async () => {
  const ids = 'text' as 'string';
  await expect(verify(text, ids)).rejects.toThrow("ids is none of 'number', 'string' and 'bigint'");
  expect(() => createFetchHandler({ secret, onEvent: () => {}, ids })).toThrow(TypeError);
});

test('the types have the type of identifiers', async () => {
  const request = { body: text, headers: headersOf(text), secret };
  const [plain, asText, asBigint] = await Promise.all([
    verifyWebhook(request),
    verifyWebhook({ ...request, ids: 'string' }),
    verifyWebhook({ ...request, ids: 'bigint' }),
  ]);
  if (!plain.ok || !asText.ok || !asBigint.ok) return expect.fail();
  expectTypeOf(plain.event).toEqualTypeOf<WebhookEvent>();
  expectTypeOf(plain.event.site_id).toEqualTypeOf<number>();
  expectTypeOf(asText.event.site_id).toEqualTypeOf<string>();
  expectTypeOf(asBigint.event.site_id).toEqualTypeOf<bigint>();
  if (asText.event.event !== 'publish.complete') return expect.fail();
  expectTypeOf(asText.event.data.version).toEqualTypeOf<string>();
  expectTypeOf(asText.event.data.pages).toEqualTypeOf<number>();
  expect([asText.event.data.version, asText.event.data.pages]).toEqual(['7', 12]);
  createFetchHandler({
    secret,
    ids: 'string',
    onEvent: ({ site_id }) => void expectTypeOf(site_id).toEqualTypeOf<string>(),
  });
  createFetchHandler({
    secret,
    onEvent: ({ site_id }) => void expectTypeOf(site_id).toEqualTypeOf<number>(),
  });
});
