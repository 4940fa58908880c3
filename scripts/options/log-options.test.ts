import { expect, test } from 'vitest';
import { readFlags, switchFlag } from './flags.ts';
import { logFlags, readLog } from './log-options.ts';

const flags = { ...logFlags, json: switchFlag('') };
const read = (args: string[], environment = {}) => readLog(readFlags(args, flags, environment));

test.for([
  [[], 'text'],
  [['--log', 'json'], 'json'],
  [['--quiet'], undefined],
  [['--json'], undefined],
  [['--json', '--log', 'json'], 'json'],
] as const)('%j tells as %s', ([args, want]) => {
  expect(read([...args])).toBe(want);
});

test('the environment says it too', () => {
  expect(read([], { SITEPUB_LOG: 'json' })).toBe('json');
  expect(read([], { SITEPUB_QUIET: '1' })).toBeUndefined();
});

test.for([
  [['--log', 'xml'], '--log is "xml"; expected text or json'],
  [['--log', 'json', '--quiet'], '--quiet and --log exclude each other'],
] as const)('%j is refused', ([args, want]) => {
  expect(() => read([...args])).toThrow(want);
});
