import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { visibleLines } from '../../openapi/visible-text.ts';
import { quickStart } from './quick-start.ts';

const hostile = `it's "x" $(touch /tmp/x) \`id\` !x\n::stop-commands::x\u001b[2J\u202e ##[add-mask]y`;

const mock = {
  baseUrl: 'http://127.0.0.1:4010/api/v1',
  controlUrl: 'http://127.0.0.1:4010/_mock',
  controlToken: undefined,
  tenants: [
    {
      id: 1,
      name: hostile,
      users: [{ username: hostile, password: hostile }],
      apiKey: hostile,
      sites: [{ id: 101, name: hostile }],
    },
  ],
} as unknown as Parameters<typeof quickStart>[0];

test('names of a world file give no orders, and its lines are copied as they are', () => {
  const text = quickStart(mock, { profile: 'my profile', unusual: [], isTold: true });
  expect(visibleLines(text)).toBe(text);
  expect(text).toContain("--profile 'my profile'\n");
  expect(text).toContain('\n  console       http://127.0.0.1:4010/_mock/console\n');
  const [login = ''] = /curl \S+ \S+auth\/tenant\/login .*/.exec(text) ?? [];
  expect(JSON.parse(wordsOf(login).at(-1) ?? '')).toEqual({ username: hostile, password: hostile });
  const [, exported = ''] = /export ((?:.*\\\n)*.*)\n/.exec(text) ?? [];
  expect(wordsOf(exported.replaceAll(/\\\n\s*/g, ' '))).toContain(`SITEPUB_PASSWORD=${hostile}`);
});

function wordsOf(line: string): string[] {
  const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  return printed.split('\0').slice(0, -1);
}

test('with https it says which certificate to trust, and its calls do', () => {
  const certificateFile = '/tmp/of me/4711.pem';
  const text = quickStart(mock, { profile: 'default', unusual: [], isTold: true, certificateFile });
  expect(text).toContain('\n  certificate   /tmp/of me/4711.pem\n');
  expect(text).toContain("NODE_EXTRA_CA_CERTS='/tmp/of me/4711.pem'");
  const calls = text.split('\n').filter((line) => line.includes('curl'));
  expect(calls.map((line) => line.includes("curl -sS --cacert '/tmp/of me/4711.pem' "))).toEqual([
    true,
    true,
    true,
  ]);
  expect(text).toContain("--profile default --ca '/tmp/of me/4711.pem'\n");
});
