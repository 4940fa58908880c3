// The package's main entrance: types and the version. Everything else has a separate entrance, such as sitepub/mock.
export type * from './openapi/generated/types.ts';
export { version } from './openapi/version.ts';
