import { expect, test } from 'vitest';
import { isThisMachine } from './this-machine.ts';

const names = `localhost LOCALHOST a.b.localhost. 127.255.1.2 127.0.0.1. 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1
  [::ffff:7f00:1]`;
const written = ['http://2130706433', 'http://0x7f.1', 'http://[::ffff:127.0.0.1]'];

const own = [...names.split(/\s+/), ...written.map((url) => new URL(url).hostname)];

test.each(own)('recognizes %s as this machine', (name) => {
  expect(isThisMachine(name)).toBe(true);
});

// 0.0.0.0 and :: include addresses that other machines can reach.
const others = `127.0.0.1.evil.example 127.evil.example 127.0.0.1.. 127.0.0.256 localhost.evil.example
  evillocalhost .localhost a..localhost 128.0.0.1 0.0.0.0 :: [::1 ::2 ::ffff:10.0.0.1`;

test.each([...others.split(/\s+/), ''])('does not take "%s" for this machine', (name) => {
  expect(isThisMachine(name)).toBe(false);
});
