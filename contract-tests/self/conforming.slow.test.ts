// Deployments of the packaged profiles that `npm test` leaves out are verified whole, too.
import { test } from 'vitest';
import { profileNames } from '../../mock/testing/open-mock.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { expectVerified, isVerifiedAlways } from './expect-verified.ts';

test.for(profileNames.map(loadProfile).filter((profile) => !isVerifiedAlways(profile)))(
  'verifies a deployment that speaks $name, and leaves nothing that it can delete',
  expectVerified,
);
