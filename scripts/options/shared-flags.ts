// Flags that several commands have.
import { visible } from '../../contract-tests/core/visible-text.ts';
import { loadProfile, type Profile } from '../../openapi/profile.ts';
import { type Flag, type Flags, type Given, listFlag, textFlag } from './flags.ts';

export const profileFlag: Flag = textFlag(
  'P',
  'path of a profile, or the name of one that comes with sitepub (default: default)',
);

/** The profile that --profile names, if it is given. One that states nothing is told. Throws ProfileError. */
export function readProfile(given: Given): Profile | undefined {
  const named = given.text('profile');
  if (named === undefined) return undefined;
  const profile = loadProfile(named);
  if (profile.stated.size === 0)
    console.error(`sitepub: the profile ${visible(named)} states nothing, so each gap has its default`);
  return profile;
}

/** `most`: how many lost answers in a row end a run. */
export function requestTimeoutFlag(most: 'three' | 'four'): Flag {
  const meaning =
    'how long a whole answer may take (default: 30s), and twice that for publish, import and AI';
  return textFlag('TIME', `${meaning}; ${most} lost answers in a row end it`);
}

export const reportFlags: Flags = {
  'expected-failures': textFlag(
    'F',
    'known failures that are accepted: a YAML map of requirement or check id to reason',
  ),
  report: listFlag('FORMAT=PATH…', 'write reports: json=out.json, junit=…, html=…, markdown=…'),
};
