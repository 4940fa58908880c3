// Writes every generated file that is committed; a test compares them with what this would write.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadProfile } from '../openapi/profile.ts';
import { profileSchema } from '../openapi/profile-schema.ts';
import { generateGapValues, generateTypes } from './generate-types.ts';

const folder = new URL('../openapi/generated/', import.meta.url);

/** The generated files by name, relative to openapi/generated/. */
export async function generatedFiles(): Promise<Record<string, string>> {
  return {
    'gap-values.ts': await generateGapValues(),
    'types.ts': await generateTypes(loadProfile('default')),
    'profile.schema.json': `${JSON.stringify(profileSchema(), null, 2)}\n`,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await generatedFiles()))
    writeFileSync(new URL(name, folder), text);
}
