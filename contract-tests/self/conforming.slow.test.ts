// Deployments of the packaged profiles that `npm test` leaves out are verified whole, too; and one that repeats what it is sent.
import { expect, test } from 'vitest';
import { profileNames } from '../../mock/testing/open-mock.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { expectNoFailure, expectVerified, isVerifiedAlways } from './expect-verified.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';

const profiles = profileNames.map(loadProfile).filter((profile) => !isVerifiedAlways(profile));

test.for(profiles)(
  'verifies a deployment that speaks $name, and leaves nothing that it can delete',
  expectVerified,
);

test.for(profiles)('fails nothing of $name when told nothing', expectNoFailure);

test('shows no secret in the report, also where a deployment repeats what it is sent', async () => {
  const given: string[] = [];
  let secrets: string[] = [];
  const report = await runAgainstMock({
    tamper: ({ main, other }) => {
      secrets = [main.apiKey, ...[...main.users, ...other.users].map(({ password }) => password)];
      return async (message, forward) => {
        const reply = await forward(message);
        if (message.path.includes('/auth/'))
          given.push(...(reply.body.toString().match(/\bst_[0-9a-f]{32}\b/g) ?? []));
        if (!message.path.endsWith('/webhooks')) return reply;
        const echo = `${message.headers.authorization} ${message.body} ${secrets.map(encodeURIComponent)}`;
        const body = { code: 0, message: echo, data: { id: echo, secrets } };
        return { ...reply, body: Buffer.from(JSON.stringify(body)) };
      };
    },
  });
  const text = JSON.stringify(report);
  expect(requirementsThat('failed', report)).toContain('ENV-1');
  expect(given.length).toBeGreaterThan(2);
  expect([...secrets, ...given].filter((secret) => text.includes(secret))).toEqual([]);
});
