// The profiles that come with sitepub as one generated JSON file, which is read in a twentieth of the time of their YAML.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A profile as openapi/generated/profiles.json holds it. */
export interface PackagedProfile {
  /** Of the YAML text that it was made of. */
  sha256: string;
  stated: Record<string, unknown>;
}

/** What a packaged profile states; undefined where its text is another one since. */
export function packagedValues(name: string, text: string): Record<string, unknown> | undefined {
  const file = readFileSync(new URL('generated/profiles.json', import.meta.url), 'utf8');
  const { profiles } = JSON.parse(file) as { profiles: Partial<Record<string, PackagedProfile>> };
  const found = profiles[name];
  return found?.sha256 === digestOf(text) ? found.stated : undefined;
}

export function digestOf(text: string): string {
  return hash('sha256', text);
}
