// A run of the long tests that has to end in time: what has not begun by then is left out, and named at the end of the run.
import { beforeEach } from 'vitest';
import { lateNote } from '../tally-reporter.ts';

/** In milliseconds since 1970; `.ci/run` sets it. */
const { SITEPUB_TESTS_BEGIN_UNTIL: until } = process.env;

if (until !== undefined) beforeEach(({ skip }) => skip(Date.now() > Number(until), lateNote));
