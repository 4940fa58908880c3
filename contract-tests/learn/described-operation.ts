// One operation of a deployment, as an OpenAPI description or a recording shows it.
import { parsePointer } from '../../openapi/json-pointer.ts';

export interface Field {
  // `*` stands for the items of an array: with a list at "/data/list", the identifiers of its items are at "/data/list", then "/*", then "/id".
  /** A JSON Pointer from the root of the body; that of the root itself is "". In a query: "/" and its name. */
  pointer: string;
  types: readonly string[];
  isRequired: boolean;
  /** The only values that it may have. Undefined if nothing says so. */
  allowed?: readonly unknown[];
  /** What the deployment takes if it is left out. */
  default?: unknown;
}

/** The last name in the pointer of a field; "" for the root. */
export function nameOf({ pointer }: Pick<Field, 'pointer'>): string {
  return parsePointer(pointer).at(-1) ?? '';
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface DescribedOperation {
  method: (typeof methods)[number];
  /** Below the base address, with parameters in braces: "/tenant/sites/{siteId}". */
  path: string;
  query: readonly Field[];
  /** Undefined if it takes none, or if nothing says what it takes. */
  body: readonly Field[] | undefined;
  /** Those that mean success. */
  answers: readonly { status: number; body: readonly Field[] | undefined }[];
  auth: 'bearer' | 'session' | 'api-key' | 'none' | undefined;
  id?: string;
  /** Its summary, and its description. */
  texts: readonly string[];
  tags: readonly string[];
  isDeprecated?: boolean;
  /** What its source leaves open, a sentence each. */
  doubts: readonly string[];
  isCalled?: boolean;
  /** Where it stands, for people: "line 120 of api.yaml", "entry 14 of console.har". */
  place: string;
}

/** Method and path, without the names of parameters. */
export function bareCall({ method, path }: Pick<DescribedOperation, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}').replace(/(?<=.)\/$/, '')}`;
}
