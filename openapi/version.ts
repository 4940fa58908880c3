import { createRequire } from 'node:module';

/** Reads it by the package's name, because built and unbuilt files are at different depths. */
export const version: string = createRequire(import.meta.url)('sitepub/package.json').version;
