// The profiles that come with the package.
export const profileNames = [
  'default',
  'always-200-camel-case',
  'nested-201-uuid',
  'documented-only',
  'flags-and-cursors',
] as const;
