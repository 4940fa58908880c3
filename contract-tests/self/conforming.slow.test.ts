// Deployments of the packaged profiles that `npm test` leaves out are verified whole, too.
import { test } from 'vitest';
import { profileNames } from '../../mock/testing/open-mock.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { expectNoFailure, expectVerified, isVerifiedAlways } from './expect-verified.ts';

const profiles = profileNames.map(loadProfile).filter((profile) => !isVerifiedAlways(profile));

test.for(profiles)(
  'verifies a deployment that speaks $name, and leaves nothing that it can delete',
  expectVerified,
);

test.for(profiles)('fails nothing of $name when told nothing', expectNoFailure);
