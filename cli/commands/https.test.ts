// @module-tag ci
// A mock that serves https, and the commands that call it, in processes of their own.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeCertificate } from '../../mock/tls/certificate.ts';
import { openCommand } from '../testing.ts';

const { folder, startMockProcess, run, remove } = openCommand();
afterAll(remove);

test('commands trust the mock that they have found, curl and Node by the file that it names, and the file goes with it', async () => {
  await using mock = await startMockProcess(['--https', '--clock', 'manual']);
  const { ready, here } = mock;
  expect(ready.control_url).toMatch(/^https:/);
  expect((await run(['mock', 'advance', 'PT1M'], here)).stdout).toContain('2026-01-01T00:01:00.000Z');
  const named = ['--control-url', ready.control_url];
  expect(await run(['mock', 'advance', 'PT1M', ...named])).toEqual({
    status: 3,
    stdout: '',
    stderr: expect.stringMatching(
      /^sitepub: the certificate of https:\S+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\); pass it, or the CA that signed it, with --ca FILE\n$/,
    ),
  });
  expect((await run(['mock', 'advance', 'PT1M', ...named, '--ca', `${ready.certificate_file}`])).status).toBe(
    0,
  );
  const script =
    "fetch(process.env.SITEPUB_CONTROL_URL + '/clock').then(({ status }) => console.log(status))";
  const inWorld = ['exec', '--in-running-mock', '--', process.execPath, '-e', script];
  expect(await run(inWorld, here)).toEqual({ status: 0, stdout: '200\n', stderr: '' });
  expect(existsSync(`${ready.certificate_file}`)).toBe(true);
  await mock.end('SIGTERM');
  expect(existsSync(`${ready.certificate_file}`)).toBe(false);
});

test('a command within exec trusts it, and what it trusted before, and exec itself is silent', async () => {
  const other = join(folder, 'other.pem');
  writeFileSync(other, makeCertificate(['other.test']).cert);
  const script = `
    const { getCACertificates } = require('node:tls');
    fetch(process.env.SITEPUB_BASE_URL + '/tenant/sites')
      .then((answer) => console.log(answer.status, getCACertificates('extra').length))`;
  const args = ['exec', '--https', '--', process.execPath, '-e', script];
  expect(await run(args, { NODE_EXTRA_CA_CERTS: other })).toEqual({
    status: 0,
    stdout: '401 2\n',
    stderr: '',
  });
});

test('the contract suite runs against it', async () => {
  const script = `${process.execPath} cli/sitepub.mjs test --suite smoke`;
  const { status, stdout } = await run(['exec', '--https', '--', 'sh', '-c', script]);
  expect([status, stdout]).toEqual([0, expect.stringContaining(' 0 failed')]);
});
