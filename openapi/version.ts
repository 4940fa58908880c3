import { createRequire } from 'node:module';

/** Read by the package's name, since built and unbuilt files are at different depths. */
export const version: string = createRequire(import.meta.url)('sitepub/package.json').version;
