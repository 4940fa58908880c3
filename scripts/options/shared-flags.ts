// Flags that several commands have.
import type { Flag, Flags } from './flags.ts';

export const profileFlag: Flag = {
  kind: 'text',
  value: 'P',
  help: 'path of a profile, or the name of one that comes with sitepub (default: default)',
};

export const reportFlags: Flags = {
  'expected-failures': {
    kind: 'text',
    value: 'F',
    help: 'known failures that are accepted: a YAML map of requirement or check id to reason',
  },
  report: {
    kind: 'list',
    value: 'FORMAT=PATH…',
    help: 'write reports: json=out.json, junit=…, html=…, markdown=…',
  },
};
