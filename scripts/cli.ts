// The command line `sitepub`. Placeholder.
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

if (process.argv[2] === '--version') {
  console.log(JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8')).version);
}
