import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

const packageJson = JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8')) as {
  version: string;
};

/** The version of the package. */
export const version = packageJson.version;
