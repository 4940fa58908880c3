// The flags by which `sitepub test` runs against a second deployment.
import { type Flags, listFlag, textFlag } from './flags.ts';

export const compareFlags: Flags = {
  'compare-with': textFlag(
    'URL',
    'run against this deployment too, and tell what differs; --base-url is the new one, whose exit code counts',
  ),
  'compare-profile': textFlag('P', 'the profile of that deployment (default: that of --profile)'),
  'compare-control-url': textFlag('URL', 'control API of a mock that is compared with'),
  'compare-report': listFlag('FORMAT=PATH…', 'write reports of that run by itself, as --report does'),
};
