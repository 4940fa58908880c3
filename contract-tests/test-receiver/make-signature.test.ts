import { expect, test } from 'vitest';
import vectors from '../../openapi/vectors/signatures.json' with { type: 'json' };
import { signatureOf } from './make-signature.ts';

const valid = vectors.vectors.filter(({ verdict }) => verdict === 'valid');

test.for(valid.map((vector) => [vector.id, vector] as const))('signs as the vector %s does', ([, vector]) => {
  const body = { bytes: Buffer.from(vector.body_base64, 'base64'), shell: '' };
  expect(signatureOf(body, vector.secret).value).toBe(vector.signature);
});

test('there are vectors', () => {
  expect(valid.length).toBeGreaterThan(5);
});
