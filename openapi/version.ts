import { createRequire } from 'node:module';

/** The version of the package. Read by the package's name, since built and unbuilt files are at different depths. */
export const version: string = createRequire(import.meta.url)('sitepub/package.json').version;
