// Vectors from other sources than the code under test: GitHub's documentation and octokit's tests.
import { expect, test } from 'vitest';
import { isSignedBy } from './verify-signature.ts';

const secret = "It's a Secret to Everybody";
const hex = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

test.each<[string, string | undefined, boolean]>([
  ['lower case', `sha256=${hex}`, true],
  ['upper case', `sha256=${hex.toUpperCase()}`, true],
  ['another digest', `sha256=${hex.replace('7', '8')}`, false],
  ['no header', undefined, false],
  ['an empty one', '', false],
  ['the prefix alone', 'sha256=', false],
  ['no prefix', hex, false],
  ['another prefix', `sha1=${hex}`, false],
  ['a digit too few', `sha256=${hex.slice(1)}`, false],
  ['a digit too many', `sha256=${hex}0`, false],
  ['a letter that is no digit', `sha256=g${hex.slice(1)}`, false],
  ['two headers in one', `sha256=${hex}, sha256=${hex}`, false],
])('%s', (_case, signature, want) => {
  expect(isSignedBy(secret, Buffer.from('Hello, World!'), signature)).toBe(want);
});

test('the signature covers the bytes, also those that are not text', () => {
  const signature = 'sha256=1b2c16b75bd2a870c114153ccda5bcfca63314bc722fa160d690de133ccbb9db';
  expect(isSignedBy('secret', Buffer.from('data'), signature)).toBe(true);
  expect(isSignedBy('secret', Buffer.from('\ufeffdata'), signature)).toBe(false);
  // By openssl: printf '\xff' | openssl dgst -sha256 -hmac secret
  const ofByte = 'sha256=877164fcec3e98076451fb62279a6d04f54fb286cd61f72d7ffc3bb000f5badf';
  expect(isSignedBy('secret', Buffer.from([0xff]), ofByte)).toBe(true);
  expect(isSignedBy('secret', Buffer.from([0xfe]), ofByte)).toBe(false);
  expect(isSignedBy('secret', Buffer.from('\ufffd'), ofByte)).toBe(false);
});
