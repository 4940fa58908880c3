import { writeFileSync } from 'node:fs';
import { loadProfile } from '../../openapi/profile.ts';
import { describeFlags, type Flags, readFlags } from '../flags.ts';
import { generateTypes } from '../generate-types.ts';

const flags: Flags = {
  profile: {
    kind: 'text',
    value: 'P',
    help: 'path of a profile, or the name of one that comes with sitepub (default: default)',
  },
  out: { kind: 'text', value: 'FILE', help: 'write to a file (default: the screen)' },
  help: { kind: 'switch', help: 'show this' },
};

/** `sitepub types`: a TypeScript module with the types of the deployment that a profile describes. */
export async function types(args: readonly string[]): Promise<number> {
  const given = readFlags(args, flags);
  if (given.switched('help')) {
    console.log(`sitepub types [--profile P] [--out FILE]\n\n${describeFlags(flags)}`);
    return 0;
  }
  const text = await generateTypes(loadProfile(given.text('profile') ?? 'default'));
  const out = given.text('out');
  if (out === undefined) process.stdout.write(text);
  else writeFileSync(out, text);
  return 0;
}
