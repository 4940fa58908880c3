import { parsePointer } from '../../openapi/json-pointer.ts';

export interface Field {
  // `*` matches the items of an array: ids of a list at "/data/list" are at "/data/list", then "/*", then "/id".
  /** JSON Pointer from the root of the body ("" for the root). In a query: "/" and the name. */
  pointer: string;
  types: readonly string[];
  isRequired: boolean;
  /** The only possible values, if the source says so. */
  allowed?: readonly unknown[];
  default?: unknown;
}

/** The last name in the pointer; "" for the root. */
export function nameOf({ pointer }: Pick<Field, 'pointer'>): string {
  return parsePointer(pointer).at(-1) ?? '';
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface DescribedOperation {
  method: (typeof methods)[number];
  /** Below the base URL, with parameters in braces: "/tenant/sites/{siteId}". */
  path: string;
  query: readonly Field[];
  /** Undefined without a body, or if it is not described. */
  body: readonly Field[] | undefined;
  /** Only successful answers. */
  answers: readonly { status: number; body: readonly Field[] | undefined }[];
  auth: 'bearer' | 'session' | 'api-key' | 'none' | undefined;
  id?: string;
  /** Summary and description. */
  texts: readonly string[];
  tags: readonly string[];
  isDeprecated?: boolean;
  /** Details that the source does not specify. */
  doubts: readonly string[];
  isCalled?: boolean;
  /** For example "line 120 of api.yaml" or "entry 14 of console.har". */
  place: string;
}

/** Method and path, without parameter names. */
export function bareCall({ method, path }: Pick<DescribedOperation, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}').replace(/(?<=.)\/$/, '')}`;
}
