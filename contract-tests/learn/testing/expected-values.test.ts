import { expect, test } from 'vitest';
import { loadProfile } from '../../../openapi/profile.ts';
import { describeDeployment, type StyleName } from './describe-deployment.ts';

interface Case {
  profile: string;
  style: StyleName;
  gap: string;
  /** What descriptions tell, by seed. */
  want: readonly { known: string; untold: readonly string[] }[];
}

const answerOfCreation = ['id'];
const whole = { known: 'whole', untold: [] };
const callOnly = { known: 'call-only', untold: answerOfCreation };

const cases: readonly Case[] = [
  { profile: 'nested-201-uuid', style: 'openapi-clean', gap: 'operation.create-site', want: [whole] },
  { profile: 'nested-201-uuid', style: 'nestjs', gap: 'operation.create-site', want: [whole, callOnly] },
  {
    profile: 'nested-201-uuid',
    style: 'apifox',
    gap: 'operation.create-site',
    want: [
      { known: 'whole', untold: ['status'] },
      { known: 'call-only', untold: ['status', 'id'] },
    ],
  },
  { profile: 'flags-and-cursors', style: 'openapi-clean', gap: 'operation.delete-site', want: [whole] },
  {
    profile: 'flags-and-cursors',
    style: 'nestjs',
    gap: 'operation.delete-site',
    want: [
      { known: 'whole', untold: ['auth'] },
      { known: 'call-only', untold: ['auth'] },
    ],
  },
  { profile: 'flags-and-cursors', style: 'openapi-clean', gap: 'operation.fail-publish', want: [whole] },
  {
    profile: 'flags-and-cursors',
    style: 'go-swaggo',
    gap: 'operation.fail-publish',
    want: [
      { known: 'whole', untold: ['body'] },
      { known: 'call-only', untold: ['body', 'version'] },
    ],
  },
  {
    profile: 'flags-and-cursors',
    style: 'springfox',
    gap: 'operation.fail-publish',
    want: [
      { known: 'call-only', untold: ['status', 'body', 'version'] },
      { known: 'call-only', untold: ['status', 'auth', 'body', 'version'] },
    ],
  },
  { profile: 'flags-and-cursors', style: 'openapi-clean', gap: 'operation.publish-content', want: [whole] },
  { profile: 'flags-and-cursors', style: 'openapi-clean', gap: 'operation.ai', want: [whole] },
  {
    profile: 'always-200-camel-case',
    style: 'laravel-scribe',
    gap: 'login.token',
    want: [whole, { known: 'untold', untold: [] }],
  },
  {
    profile: 'nested-201-uuid',
    style: 'springfox',
    gap: 'login.status',
    want: [{ known: 'untold', untold: [] }],
  },
];

for (const { profile, style, gap, want } of cases)
  test(`${style} tells of ${gap} under ${profile}: ${want.map(({ known }) => known).join(' or ')}`, () => {
    const seen = Array.from({ length: 4 }, (_, seed) => {
      const { expected } = describeDeployment({ profile: loadProfile(profile), style, seed });
      return JSON.stringify({ known: expected[gap]?.known, untold: expected[gap]?.untold });
    });
    const possible = want.map((one) => JSON.stringify(one));
    expect(seen.filter((one) => !possible.includes(one))).toEqual([]);
  });
