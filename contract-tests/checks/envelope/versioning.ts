import type { Check } from '../../check.ts';
import { PromiseBroken } from '../../core/outcomes.ts';

/** The base address ends in the version. */
export const versioning: readonly Check[] = [
  {
    id: 'version-1-base-address',
    requirement: 'VERSION-1',
    needs: [],
    run: ({ options }) => {
      const { pathname } = new URL(options.baseUrl);
      if (!pathname.endsWith('/api/v1'))
        throw new PromiseBroken('a base address that ends in /api/v1', options.baseUrl);
    },
  },
];
