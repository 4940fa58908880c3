import { expect, test } from 'vitest';
import { readKey, writeKey } from './row-key.ts';

test.each(['mei@harbour-cafe.example', 'a\0b', 'a\ud800', 'a\ud801', '"', '"a"', '海', ''])(
  'the key %j comes back, in a text that any database takes',
  (key) => {
    const text = writeKey(key);
    expect(readKey(text)).toBe(key);
    expect(text).not.toContain('\0');
    expect(text.isWellFormed()).toBe(true);
  },
);
