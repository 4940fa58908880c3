import { expect, test } from 'vitest';
import { switchFlag, textFlag } from './flags.ts';
import { takeFiles } from './take-files.ts';

const flags = { as: textFlag('FORMAT', ''), quiet: switchFlag('') };

test.for([
  [
    ['a.json', '--as', 'html', 'b.json'],
    ['a.json', 'b.json'],
    ['--as', 'html'],
  ],
  [['--quiet', 'a.json'], ['a.json'], ['--quiet']],
  [['--as=html', 'a.json'], ['a.json'], ['--as=html']],
  [['--help'], [], ['--help']],
  [[], [], []],
] as const)('%j', ([args, files, others]) => {
  expect(takeFiles(args, flags)).toEqual({ files, others });
});
