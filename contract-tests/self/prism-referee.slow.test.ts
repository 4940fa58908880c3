import { test } from 'vitest';
import { expectNoObjection } from './run-through-prism.ts';

test.each(['nested-201-uuid', 'always-200-camel-case'])(
  'Prism objects to nothing under the profile %s',
  expectNoObjection,
);
