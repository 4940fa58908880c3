import { expect, test } from 'vitest';
import { readFlags, switchFlag } from '../options/flags.ts';
import { mockFlags } from '../options/mock-options.ts';
import { unusualSettings } from './unusual-settings.ts';

const told = (...args: string[]) => unusualSettings(readFlags(args, mockFlags, {}));

test('nothing is unusual without flags, or with those that say what is usual', () => {
  expect(told()).toEqual([]);
  expect(
    told('--profile', 'default', '--clock', 'real', '--seed', '1', '--limits', 'on', '--tenants', '2'),
  ).toEqual([]);
});

test('everything unusual has a line', () => {
  expect(unusualSettings(readFlags(['--watch'], { ...mockFlags, watch: switchFlag('') }, {}))).toEqual([
    '  watching      the world file and the profile are read anew when they change',
  ]);
  const args = ['--profile', 'acme.yaml', '--world', 'a\u001b[2J.yaml', '--clock', 'manual', '--seed', '7'];
  const others = [
    '--latency',
    '20-200',
    '--fault',
    'a,b',
    '--vary',
    'all',
    '--cors',
    '--tenants',
    '3',
    '--limits',
    'off',
    '--refuse-private-targets',
  ];
  expect(told(...args, ...others)).toEqual([
    '  profile       acme.yaml',
    '  world         a\\u001b[2J.yaml',
    '  tenants       3',
    '  clock         stands still until it is moved',
    '  seed          7',
    '  limits        off: any number of calls a minute',
    '  latency       20-200 ms',
    '  faults        a, b',
    '  variations    all',
    '  CORS          web pages of any origin may call the service',
    '  targets       those in private networks are refused',
  ]);
});
