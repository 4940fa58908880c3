import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { describeFlags, type Flags, readFlags } from '../options/flags.ts';

const flags: Flags = {
  profile: {
    kind: 'text',
    value: 'P',
    help: 'path of a profile, or the name of one that comes with sitepub (default: default)',
  },
  out: {
    kind: 'text',
    value: 'FILE',
    help: 'write to a file, as JSON where its name ends in .json (default: YAML on the screen)',
  },
  help: { kind: 'switch', help: 'show this' },
};

/** `sitepub spec`: the OpenAPI description of the deployment that a profile describes. */
export async function spec(args: readonly string[]): Promise<number> {
  const given = readFlags(args, flags);
  if (given.switched('help')) {
    console.log(`sitepub spec [--profile P] [--out FILE]\n\n${describeFlags(flags)}`);
    return 0;
  }
  const description = resolve(loadProfile(given.text('profile') ?? 'default'));
  const out = given.text('out');
  const text = out?.endsWith('.json')
    ? `${JSON.stringify(description, null, 2)}\n`
    : stringify(description, { aliasDuplicateObjects: false });
  if (out === undefined) process.stdout.write(text);
  else writeFileSync(out, text);
  return 0;
}
