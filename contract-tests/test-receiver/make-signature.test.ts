import { expect, test } from 'vitest';
import vectors from '../../openapi/vectors/signatures.json' with { type: 'json' };
import { digitChanged, signatureOf } from './make-signature.ts';

const valid = vectors.vectors.filter(({ verdict }) => verdict === 'valid');

test.for(valid.map((vector) => [vector.id, vector] as const))('signs as the vector %s does', ([, vector]) => {
  const body = { bytes: Buffer.from(vector.body_base64, 'base64'), shell: '' };
  expect(signatureOf(body, vector.secret).value).toBe(vector.signature);
});

test.for([
  ['hex-upper', { form: 'upper' }],
  ['secret-empty', { otherKey: '' }],
  ['sha-512-cut', { algorithm: 'sha512', form: 'first64' }],
  ['digits-63', { form: 'cut' }],
  ['base64', { form: 'base64' }],
  ['sha1', { algorithm: 'sha1', prefix: 'sha1=' }],
  ['sha1-as-sha256', { algorithm: 'sha1' }],
  ['prefix-missing', { prefix: '' }],
  ['prefix-v1', { prefix: 'v1=' }],
] as const)('signs as wrongly as the vector %s does', ([id, shape]) => {
  const vector = vectors.vectors.find((one) => one.id === id);
  const body = { bytes: Buffer.from(vector?.body_base64 ?? '', 'base64'), shell: '' };
  expect(signatureOf(body, vector?.secret ?? '', shape).value).toBe(vector?.signature);
});

test('each digit can be changed, and only that one is', () => {
  const body = { bytes: Buffer.from('{}'), shell: '' };
  const right = signatureOf(body, 's', { prefix: '' }).value;
  for (let at = 0; at < 64; at++) {
    const wrong = signatureOf(body, 's', { prefix: '', form: digitChanged(at) }).value;
    expect(wrong).toMatch(/^[0-9a-f]{64}$/);
    expect([...wrong].flatMap((digit, index) => (digit === right[index] ? [] : [index]))).toEqual([at]);
  }
});

test('there are vectors', () => {
  expect(valid.length).toBeGreaterThan(5);
});
