// Checks the vectors themselves, also with Python as an independent implementation.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import signatures from './signatures.json' with { type: 'json' };

const { vectors } = signatures;
type Vector = (typeof vectors)[number];

const path = fileURLToPath(new URL('signatures.json', import.meta.url));
const page = readFileSync(new URL('../../docs/reference/vectors.md', import.meta.url), 'utf8');
const hasPython = spawnSync('python3', ['--version']).status === 0;

test.each(vectors)('$id has its own text', (vector) => {
  expect(vector.body_text).toBe(textOf(vector));
});

const wrong = vectors.filter(({ verdict }) => verdict !== 'valid');

test.each(wrong)('$id differs from a valid one only in its body or its signature', (vector) => {
  const valid = vectors.find(({ id }) => id === vector.of);
  expect(valid).toMatchObject({ verdict: 'valid', secret: vector.secret });
  expect(valid?.body_base64 === vector.body_base64).not.toBe(valid?.signature === vector.signature);
});

test('the valid vectors include bodies that a JSON parser and writer would change', () => {
  const isChanged = ({ body_text = '' }: Vector) => JSON.stringify(JSON.parse(body_text)) !== body_text;
  expect(idsOf((vector) => vector.verdict === 'valid' && vector.is_event && isChanged(vector))).toEqual(
    expect.arrayContaining(['escaped-lower', 'pretty', 'crlf', 'number-spelling', 'duplicate-key']),
  );
});

// From GitHub's documentation and octokit's tests; another implementation computed the last three.
test.for([
  ['github-published', '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'],
  ['octokit-json', '4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3'],
  ['octokit-text', '1b2c16b75bd2a870c114153ccda5bcfca63314bc722fa160d690de133ccbb9db'],
  ['literal-compact', '8997473ba63f725723030db49dd86fffa2cbf2e194cd714f1b0de47ef2ba3e28'],
  ['escaped-lower', '6b4ca4e62161d7616c1080c31f638a03f6927e81bafd026c276f20bfae5ad227'],
  ['pretty', '16bcfefb1bb093cca49642ec1856e19dfb91a5a807e117e30bd9cb044b6a9635'],
])('signs %s as published', ([id, hex]) => {
  expect(vectors.find((vector) => vector.id === id)?.signature).toBe(`sha256=${hex}`);
});

test('each has a distinct id, and the documentation has the right number', () => {
  expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length);
  const countOf = (wanted: Vector['verdict']) => idsOf(({ verdict }) => verdict === wanted).length;
  expect(page).toContain(
    `${countOf('valid')} valid, ${countOf('invalid')} invalid and ${countOf('open')} open vectors`,
  );
});

test.runIf(hasPython)('the verifier in the documentation accepts them', () => {
  const [, program = ''] = /```python\n(.*?)```/s.exec(page) ?? [];
  const { status, stdout, stderr } = spawnSync('python3', ['-', path], { input: program, encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});

function bytesOf({ body_base64 }: Vector): Buffer {
  return Buffer.from(body_base64, 'base64');
}

function textOf(vector: Vector): string | undefined {
  const text = bytesOf(vector).toString();
  return Buffer.from(text).equals(bytesOf(vector)) ? text : undefined;
}

function idsOf(isMeant: (vector: Vector) => boolean): string[] {
  return vectors.filter(isMeant).map(({ id }) => id);
}
