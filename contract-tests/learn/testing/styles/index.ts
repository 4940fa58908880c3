// All styles by their names.
import type { Style } from '../style.ts';
import { openapiClean } from './openapi-clean.ts';

export const styles = {
  'openapi-clean': openapiClean,
} satisfies Record<string, Style>;
