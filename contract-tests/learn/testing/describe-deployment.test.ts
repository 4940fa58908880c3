// @module-tag nightly
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, test } from 'vitest';
import { loadProfile } from '../../../openapi/profile.ts';
import { randomProfile } from '../../../openapi/random-profile.ts';
import { describeDeployment, styleNames } from './describe-deployment.ts';
import { findOmissions } from './inspect-description.ts';
import { realisticProfile } from './realistic-profile.ts';

const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
const profiles = [
  ...['default', 'always-200-camel-case', 'nested-201-uuid', 'flags-and-cursors', 'documented-only'].map(
    loadProfile,
  ),
  ...numbers.map(realisticProfile),
  ...numbers.map(randomProfile),
];

describe('describes packaged, realistic and random profiles, validly and as they are, in the style', () => {
  for (const style of styleNames)
    test(style, async () => {
      for (const profile of profiles)
        for (const seed of [1, 2]) {
          const described = describeDeployment({ profile, style, seed });
          const name = `${profile.name}, seed ${seed}`;
          expect(await findOmissions(described), name).toEqual([]);
          if (seed === 1) await SwaggerParser.validate(JSON.parse(JSON.stringify(described.description)));
        }
    });
});
