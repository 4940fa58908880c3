import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { eventNames } from '../../openapi/event-names.ts';
import { readFlags } from './flags.ts';
import { listenFlags, testReceiverFlags } from './webhook-flags.ts';
import {
  readForward,
  readListen,
  readReceiverOptions,
  readSigningSecrets,
  readSteps,
} from './webhook-options.ts';

describe('receiver command options', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const given = (...args: string[]) => readFlags(args, listenFlags, {});

  test.for([
    [[], { host: '127.0.0.1', port: 4020 }],
    [['--listen', '5000'], { host: '127.0.0.1', port: 5000 }],
    [['--listen', 'localhost:0'], { host: 'localhost', port: 0 }],
    [['--listen', '0.0.0.0:80'], { host: '0.0.0.0', port: 80 }],
    [['--listen', '[::1]:4020'], { host: '::1', port: 4020 }],
  ] as const)('%j listens on %j', ([args, want]) => {
    expect(readListen(given(...args))).toEqual(want);
  });

  test('--forward-to takes an address, and no answers beside it', () => {
    expect(readForward(given('--forward-to', 'http://127.0.0.1:3000/hooks/'))).toBe(
      'http://127.0.0.1:3000/hooks',
    );
    expect(readForward(given())).toBeUndefined();
    expect(() => readForward(given('--forward-to', '127.0.0.1:3000'))).toThrow(
      'expected an http or https URL',
    );
    expect(() => readForward(given('--forward-to', 'http://a/', '--respond', '200'))).toThrow(
      '--forward-to and --respond exclude each other',
    );
  });

  test.for(['localhost', ':80', '::1:80', '1.2.3.4:70000', 'http://a:80', '127.0.0.1:'])(
    '--listen %s is refused',
    (listen) => {
      expect(() => readListen(given('--listen', listen))).toThrow(
        `--listen is "${listen}"; expected HOST:PORT`,
      );
    },
  );

  test.for([
    [[], []],
    [
      ['--respond', '500,timeout,reset,200'],
      [500, 'timeout', 'reset', 200],
    ],
    [
      ['--respond', '503', '204'],
      [503, 204],
    ],
  ] as const)('%j answers %j', ([args, want]) => {
    expect(readSteps(given(...args))).toEqual(want);
  });

  test.for(['100', '600', '20', 'later', '-1'])('--respond %s is refused', (step) => {
    expect(() => readSteps(given('--respond', `200,${step}`))).toThrow(`--respond holds "${step}"`);
  });

  test.for([['--secret', 's3cr3t'], ['--secret=s3cr3t'], ['--json', '--secret', 's3cr3t', '--listen', '0']])(
    'a secret in a flag is refused, and not repeated: %j %j %j %j',
    (...args) => {
      const words = args.flat().filter((arg) => typeof arg === 'string');
      expect(() => given(...words)).toThrow(/secrets (are not taken from flags|come from the environment)/);
      expect(() => given(...words)).not.toThrow('s3cr3t');
    },
  );

  const anyway = { isDemanded: false };

  test('secrets come from the environment, or from the lines of a file, and are not trimmed', () => {
    const file = join(folder, 'secrets');
    writeFileSync(file, ' new \r\n\nold\n');
    expect(readSigningSecrets(anyway, {})).toEqual([]);
    expect(readSigningSecrets(anyway, { SITEPUB_WEBHOOK_SECRET: ' a ' })).toEqual([' a ']);
    expect(readSigningSecrets(anyway, { SITEPUB_WEBHOOK_SECRET_FILE: file })).toEqual([' new ', 'old']);
    expect(
      readSigningSecrets(anyway, { SITEPUB_WEBHOOK_SECRET: 'a', SITEPUB_WEBHOOK_SECRET_FILE: file }),
    ).toEqual(['a']);
  });

  test('a file without a secret, and one that is not there, are refused', () => {
    const file = join(folder, 'empty');
    writeFileSync(file, '\n');
    const read = (path: string) => () => readSigningSecrets(anyway, { SITEPUB_WEBHOOK_SECRET_FILE: path });
    expect(read(file)).toThrow(`SITEPUB_WEBHOOK_SECRET_FILE names ${file}, which holds no secret`);
    expect(read(join(folder, 'nowhere'))).toThrow("which can't be read (there is no file");
  });

  test('a secret that is demanded must be there', () => {
    expect(() => readSigningSecrets({ isDemanded: true }, {})).toThrow('--secret demands a signing secret');
    expect(readSigningSecrets({ isDemanded: true }, { SITEPUB_WEBHOOK_SECRET: 'a' })).toEqual(['a']);
  });
});

describe('test receiver options', () => {
  afterEach(() => vi.unstubAllEnvs());

  const read = (...args: string[]) => readReceiverOptions(readFlags(args, testReceiverFlags, {}, '<url>'));
  const url = ['http://a/hook?site=5'] as const;

  test.for([
    ["missing required argument 'url'", []],
    ['the address is none; expected an http or https URL', ['s3cr3t']],
    ['the address is "ftp://…@h/b"; expected an http or https URL', ['ftp://u:pw@h/b']],
    ['the address takes no credentials and no fragment', ['http://a:b@c/']],
    ['--secret demands a signing secret; set SITEPUB_WEBHOOK_SECRET', [...url, '--secret']],
    ['there is no event "form.sumbit"; did you mean "form.submit"?', [...url, '--events', 'form.sumbit']],
    ['there is no requirement or check of receivers "RECV-3"; did you mean', [...url, '--only', 'RECV-3']],
    ['--timeout is 0', [...url, '--timeout', '0']],
    ['--site-id is "7a"; expected a whole number', [...url, '--site-id', '7a']],
  ] as const)('refuses: %s', async ([message, args]) => {
    vi.stubEnv('SITEPUB_WEBHOOK_SECRET', '');
    vi.stubEnv('SITEPUB_WEBHOOK_SECRET_FILE', '');
    await expect(async () => read(...args)).rejects.toThrow(message);
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
    const given = readFlags([...url, ...flags], testReceiverFlags, { SITEPUB_SITE_ID: '0' }, '<url>');
    expect(await readReceiverOptions(given)).toMatchObject({
      site: { id: 0, name: 'Café' },
      knowsEvents: false,
      events: eventNames,
    });
    expect(await read(...url, '--site-id', '9007199254740991')).toMatchObject({
      site: { id: 9_007_199_254_740_991 },
    });
  });
});
