import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headersOf, signatureOf } from './testing.ts';
import { verifyWebhook } from './verify-webhook.ts';

const bodies = fc.uint8Array({ minLength: 1, maxLength: 300 });
const secrets = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 });
const events = fc.record({
  event: fc.string(),
  timestamp: fc.string(),
  site_id: fc.integer(),
  site_name: fc.string({ unit: 'binary' }),
  // verifyWebhook refuses identifiers that a number rounds.
  data: fc.dictionary(
    fc.string(),
    fc.jsonValue().filter((value) => !/\d{16}|e\+/.test(JSON.stringify(value))),
  ),
});

test('agrees with node:crypto for all bytes and secrets', async () => {
  await check(bodies, secrets, async (body, secret) => {
    const digest = createHmac('sha256', secret).update(body).digest();
    const lower = `sha256=${digest.toString('hex')}`;
    expect(await isSigned(body, lower, secret)).toBe(true);
    expect(await isSigned(body, `sha256=${digest.toString('hex').toUpperCase()}`, secret)).toBe(true);
  });
});

test('returns every event unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(events, fc.constantFrom(0, 2, '\t'), async (event, indent) => {
      const body = JSON.stringify(event, null, indent);
      fc.pre(!body.includes('__proto__'));
      const result = await verifyWebhook({ body, headers: headersOf(body), secret: 's3cr3t' });
      expect(result.ok && JSON.stringify(result.event)).toBe(JSON.stringify(JSON.parse(body)));
    }),
  );
});

test('refuses a header with one changed bit, except the case of a digit', async () => {
  await check(bodies, fc.nat(70), fc.nat(6), async (body, index, bit) => {
    const right = signatureOf(body);
    const code = right.charCodeAt(index) ^ (1 << bit);
    const header = right.slice(0, index) + String.fromCharCode(code) + right.slice(index + 1);
    const isSame = index >= 7 && header.toLowerCase() === right;
    expect(await isSigned(body, header, 's3cr3t')).toBe(isSame);
  });
});

test('returns a result for every header and body', async () => {
  await check(fc.string({ unit: 'binary' }), fc.anything(), async (signature, body) => {
    const headers = { 'X-Webhook-Signature': signature };
    // @ts-expect-error: callers without types pass anything
    expect(await verifyWebhook({ body, headers, secret: 'x' })).toMatchObject({ ok: false });
  });
});

/** fast-check's assert, for bodies that need not be events. */
async function check<Ts extends [unknown, ...unknown[]]>(
  ...given: [...{ [K in keyof Ts]: fc.Arbitrary<Ts[K]> }, (...values: Ts) => Promise<void>]
) {
  await fc.assert(fc.asyncProperty(...given));
}

async function isSigned(body: Uint8Array, signature: string, secret: string): Promise<boolean> {
  const headers = { 'X-Webhook-Signature': signature };
  const result = await verifyWebhook({ body, headers, secret });
  return result.ok || result.reason === 'not-an-event';
}
