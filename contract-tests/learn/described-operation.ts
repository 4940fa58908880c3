// One operation of a deployment, as an OpenAPI description or a recording shows it.
import { parsePointer } from '../../openapi/json-pointer.ts';

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** A value in a query or a body. */
export interface Field {
  // `*` stands for the items of an array: with a list at "/data/list", the identifiers of its items are at "/data/list", then "/*", then "/id".
  /** A JSON Pointer from the root of the body; that of the root itself is "". In a query: "/" and its name. */
  pointer: string;
  types: readonly FieldType[];
  /** Whether it is always there. */
  isRequired: boolean;
  /** The only values that it may have. Undefined if nothing says so. */
  allowed?: readonly unknown[];
  /** What the deployment takes if it is left out. */
  default?: unknown;
  /** How many members of a recorded object are not shown. */
  leftOut?: number;
  /** Of an answer: whether a recorded call sent its value in a path. */
  isSent?: boolean;
}

/** The last name in the pointer of a field; "" for the root. */
export function nameOf({ pointer }: Pick<Field, 'pointer'>): string {
  return parsePointer(pointer).at(-1) ?? '';
}

/** An answer that means success. */
interface DescribedAnswer {
  status: number;
  /** Undefined where nothing says what is in it. */
  body: readonly Field[] | undefined;
}

/** What a call needs that a profile can't state. */
export interface Demand {
  in: 'header' | 'cookie' | 'body';
  /** Of a body, its type: "multipart/form-data". */
  name: string;
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

export interface DescribedOperation {
  method: Method;
  /** Below the base address, with parameters in braces: "/tenant/sites/{siteId}". */
  path: string;
  query: readonly Field[];
  /** Undefined if it takes none, or if nothing says what it takes. */
  body: readonly Field[] | undefined;
  answers: readonly DescribedAnswer[];
  /** What else a call needs; undefined if that is nothing, or not known. */
  demands?: readonly Demand[];
  /** Who may call it; undefined if nothing says so. */
  auth: 'bearer' | 'session' | 'api-key' | 'none' | undefined;
  /** `operationId`, or the name of the generated function. */
  id?: string;
  /** Summary and description. */
  texts: readonly string[];
  tags: readonly string[];
  /** Whether it is about to go, and another one should be called. */
  isDeprecated?: boolean;
  /** What its source leaves open, a sentence each. */
  doubts: readonly string[];
  /** Whether it is of a recording. */
  isCalled?: boolean;
  /** Where it stands, for people: "line 120 of api.yaml", "entry 14 of console.har". */
  place: string;
}
