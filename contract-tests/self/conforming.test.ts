// @module-tag ci
// No false alarms: conforming deployments fail no requirement, with any profile.
import { expect, test } from 'vitest';
import { freePort } from '../../mock/testing/postgres-server.ts';
import { loadProfile, noProfile } from '../../openapi/profile.ts';
import { expectWhole } from './expect-verified.ts';
import { alarmsIn, requirementsThat, runAgainstMock } from './run-against-mock.ts';
import { startProxy } from './tampering-proxy.ts';

const whole = { tier: 'full', cases: 4 } as const;

// population.test.ts runs the other packaged profiles.
test('verifies a deployment with the profile default, and leaves nothing that it can delete', async () => {
  expectWhole(await runAgainstMock({ options: whole }), loadProfile('default'));
});

test('calls only paths of the profile, and a few unknown ones', async () => {
  const paths = new Set<string>();
  const report = await runAgainstMock({
    told: noProfile,
    options: whole,
    tamper: () => (message, forward) => {
      paths.add(`${message.method} ${message.path.replace(/\/(sites|webhooks)\/[^/]+/g, '/$1/{}')}`);
      return forward(message);
    },
  });
  expect(alarmsIn(report)).toEqual([]);
  expect([...paths].toSorted()).toEqual([
    'GET /api/v1/sitepub-no-such-endpoint',
    'PATCH /api/v1/auth/tenant/login',
    'POST /api/v1/auth/refresh',
    'POST /api/v1/auth/tenant/login',
    'POST /api/v1/tenant/sitepub-no-such-endpoint',
    'POST /api/v1/tenant/sites/{}/webhooks',
    'POST /api/v1/tenant/sites/{}/webhooks/{}/test',
    'PUT /api/v1/auth/refresh',
  ]);
});

test('receives pushes through a public address', async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  const tunnel = await startProxy(
    (path) => `http://${listen}${path.replace('/tunnel/7', '')}`,
    (message, forward) => forward(message),
  );
  try {
    const receiver = { listen, url: `${tunnel.origin}/tunnel/7` };
    const report = await runAgainstMock({ options: { ...whole, receiver } });
    expect(alarmsIn(report)).toEqual([]);
    expect(requirementsThat('passed', report)).toEqual(
      expect.arrayContaining(['HOOK-10', 'RETRY-1', 'SIG-4']),
    );
    // The tunnel answers instead of the receiver.
    expect(requirementsThat('not-verified', report)).toEqual(['RECV-1', 'RECV-2']);
    expect(requirementsThat('partly', report)).toEqual(['RETRY-2']);
  } finally {
    await tunnel.close();
  }
});
