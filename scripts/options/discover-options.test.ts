import { afterEach, expect, test, vi } from 'vitest';
import { refuseCallFlags } from './discover-options.ts';
import { UsageError } from './usage-error.ts';

afterEach(() => void vi.unstubAllEnvs());

test.for([
  ['--create'],
  ['--max-wait', '62s'],
  ['--control-url', 'http://127.0.0.1:9/_mock'],
  ['--journal', 'journal.jsonl'],
  ['--receiver-listen', '8080'],
  ['--receiver-url', 'https://tunnel.example.com'],
])('--no-calls contradicts %s', (flags) => {
  const want = `--no-calls calls nothing, and ${flags[0]} is for calls; leave one of them out`;
  expect(() => refuseCallFlags(['--no-calls', ...flags])).toThrow(new UsageError(want));
});

test('--no-calls contradicts neither what reading needs nor a variable that was set for other commands', () => {
  vi.stubEnv('SITEPUB_CONTROL_URL', 'http://127.0.0.1:9/_mock');
  const args = ['--no-calls', '--har', 'a.har', '--base-url', 'http://h/api/v1', '--request-timeout', '5s'];
  expect(() => refuseCallFlags(args)).not.toThrow();
});
