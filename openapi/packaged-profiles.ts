// The profiles that come with sitepub as one generated JSON file, which is read in a twentieth of the time of their YAML.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { lazily } from './libraries.ts';

/** A profile as openapi/generated/profiles.json holds it. */
export interface PackagedProfile {
  /** Of the YAML text that it was made of. */
  sha256: string;
  stated: Record<string, unknown>;
}

/** What a packaged profile states; undefined where its text is another one since. */
export function packagedValues(name: string, text: string): Record<string, unknown> | undefined {
  const found = readProfiles()[name];
  return found?.sha256 === digestOf(text) ? found.stated : undefined;
}

/** Whether these are the values of a packaged profile, which were checked when the package was built. */
export function isPackaged(name: string, stated: Readonly<Record<string, unknown>>): boolean {
  return isDeepStrictEqual(readProfiles()[name]?.stated, stated);
}

export function digestOf(text: string): string {
  return hash('sha256', text);
}

const readProfiles = lazily(() => {
  const text = readFileSync(new URL('generated/profiles.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { profiles: Partial<Record<string, PackagedProfile>> }).profiles;
});
