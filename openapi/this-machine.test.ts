import { expect, test } from 'vitest';
import { isThisMachine } from './this-machine.ts';

test.each([
  'localhost',
  'LOCALHOST',
  'a.b.localhost.',
  '127.255.1.2',
  '127.0.0.1.',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '[::ffff:7f00:1]',
  new URL('http://2130706433').hostname,
  new URL('http://0x7f.1').hostname,
  new URL('http://[::ffff:127.0.0.1]').hostname,
])('%s is this machine', (name) => {
  expect(isThisMachine(name)).toBe(true);
});

test.each([
  '127.0.0.1.evil.example',
  '127.evil.example',
  '127.0.0.1..',
  '127.0.0.256',
  'localhost.evil.example',
  'evillocalhost',
  '.localhost',
  'a..localhost',
  '128.0.0.1',
  // All addresses of this machine, also those that others reach.
  '0.0.0.0',
  '::',
  '[::1',
  '::2',
  '::ffff:10.0.0.1',
  '',
])('"%s" is not this machine alone', (name) => {
  expect(isThisMachine(name)).toBe(false);
});
