// The package's main entrance. It is light: what does something has an entrance of its own, such as sitepub/mock.
import { createRequire } from 'node:module';

export type * from './openapi/generated/types.ts';

/** The version of the package. Read by its name, for built and unbuilt files lie at different depths. */
export const version: string = createRequire(import.meta.url)('sitepub/package.json').version;
