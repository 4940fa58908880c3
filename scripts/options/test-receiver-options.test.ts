import { afterEach, expect, test, vi } from 'vitest';
import { eventNames } from '../../openapi/event-names.ts';
import { readFlags } from './flags.ts';
import { readReceiverOptions, testReceiverFlags } from './test-receiver-options.ts';

afterEach(() => vi.unstubAllEnvs());

const read = (...args: string[]) => readReceiverOptions(readFlags(args, testReceiverFlags, {}));
const url = ['--url', 'http://a/hook?site=5'] as const;

test.for([
  ['--url is missing; give it, or set SITEPUB_URL', []],
  ['--url is "ftp://a/b"; expected an http or https URL', ['--url', 'ftp://a/b']],
  ['--url is "ftp://…@h/b"; expected an http or https URL', ['--url', 'ftp://u:pw@h/b']],
  ['--url takes no credentials and no fragment', ['--url', 'http://a:b@c/']],
  ['--secret demands a signing secret; set SITEPUB_WEBHOOK_SECRET', [...url, '--secret']],
  ['there is no event "form.sumbit"; did you mean "form.submit"?', [...url, '--events', 'form.sumbit']],
  ['there is no requirement or check of receivers "RECV-3"; did you mean', [...url, '--only', 'RECV-3']],
  ['--timeout is 0', [...url, '--timeout', '0']],
  ['--site-id is "7a"; expected a whole number', [...url, '--site-id', '7a']],
] as const)('refuses: %s', async ([message, args]) => {
  vi.stubEnv('SITEPUB_WEBHOOK_SECRET', '');
  vi.stubEnv('SITEPUB_WEBHOOK_SECRET_FILE', '');
  await expect(read(...args)).rejects.toThrow(message);
});

test('reads the options of a run', async () => {
  vi.stubEnv('SITEPUB_WEBHOOK_SECRET', 'k3y');
  const flags = ['--events', 'form.submit,content.update', '--timeout', '3s', '--skip', 'advice'];
  expect(await read(...url, ...flags)).toMatchObject({
    url: 'http://a/hook?site=5',
    secret: 'k3y',
    profile: { name: 'none' },
    events: ['content.update', 'form.submit'],
    only: [],
    skip: ['advice'],
    timeoutMs: 3_000,
    knowsEvents: true,
    site: {},
  });
});

test('reads the site that the receiver knows from flags and from the environment', async () => {
  const flags = ['--site-name', 'Café'];
  const given = readFlags([...url, ...flags], testReceiverFlags, { SITEPUB_SITE_ID: '0' });
  expect(await readReceiverOptions(given)).toMatchObject({
    site: { id: 0, name: 'Café' },
    knowsEvents: false,
    events: eventNames,
  });
  expect(await read(...url, '--site-id', '9007199254740991')).toMatchObject({
    site: { id: 9_007_199_254_740_991 },
  });
});
