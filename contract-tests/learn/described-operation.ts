// One operation of a deployment, as an OpenAPI description or a recording shows it.
import { parsePointer } from '../../openapi/json-pointer.ts';

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** A value in a path, query or body. */
export interface Field {
  // `*` stands for the items of an array: with a list at "/data/list", the identifiers of its items are at "/data/list", then "/*", then "/id".
  /** A JSON Pointer from the root of the body; that of the root itself is "". Of a parameter: "/" and its name. */
  pointer: string;
  types: readonly FieldType[];
  /** Whether it is always there. */
  isRequired: boolean;
  /** What people say of it: its title and description. */
  texts?: readonly string[];
  /** Such as "uuid" or "date-time". */
  format?: string;
  /** Its enum, const, default and examples, or what a recording showed. */
  values?: readonly unknown[];
  /** The only values that it may have: its enum or const. Undefined where nothing says so. */
  allowed?: readonly unknown[];
  /** What the deployment takes where it is left out. */
  default?: unknown;
  /** Values that are shown, whatever others there may be. */
  examples?: readonly unknown[];
  /** Of the root: that there is more below it than was read. */
  isCut?: boolean;
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
export interface DescribedAnswer {
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

export interface DescribedOperation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address, with parameters in braces: "/tenant/sites/{siteId}". */
  path: string;
  /** The parameters in the path, by their names in braces. */
  parameters?: readonly Field[];
  query: readonly Field[];
  /** Undefined where it takes none, or nothing says what it takes. */
  body: readonly Field[] | undefined;
  answers: readonly DescribedAnswer[];
  /** What else a call needs; undefined where that is nothing, or not known. */
  demands?: readonly Demand[];
  /** Why its path may not be below the base address, where a description puts another one before it. */
  elsewhere?: string;
  /** Who may call it; undefined where nothing says so. */
  auth: 'bearer' | 'session' | 'api-key' | 'none' | undefined;
  /** `operationId`, or the name of the generated function. */
  id?: string;
  /** Summary and description. */
  texts: readonly string[];
  tags: readonly string[];
  /** Whether it is about to go, and another one should be called. */
  isDeprecated?: boolean;
  /** What its source leaves open, a sentence each. */
  doubts?: readonly string[];
  /** Whether it is of a recording. */
  isCalled?: boolean;
  /** Where it stands, for people: "line 120 of api.yaml", "entry 14 of console.har". */
  place: string;
  /** What only a recording shows. */
  seen?: SeenInCalls;
}

/** What the recorded calls of an operation have shown. */
interface SeenInCalls {
  /** How many calls. */
  count: number;
  /** What they carried, each once; undefined where the recording was saved without credentials. */
  credentials: readonly Credential[] | undefined;
  /** Names, in small letters, of headers that browsers don't send by themselves, and most other calls did not carry: "x-dry-run". */
  headers: readonly string[];
  /** How the bodies were written; undefined where there were none. */
  bodyType: 'json' | 'form' | 'other' | undefined;
  /** Of each call, what it sent that others left out: "body /note", "query /force". */
  extras: readonly (readonly string[])[];
  /** Whether a part of what they sent is left out, since its name might tell something. */
  isCut: boolean;
  /** Values of its answers that later calls have sent. */
  links: readonly Link[];
  /** By names of its parameters: where its answers repeat what stood there. */
  repeated: Readonly<Record<string, readonly string[]>>;
}

export type Credential = 'session-token' | 'api-key' | 'cookie' | 'none';

/** A value of an answer that a later call sent as an identifier: strong evidence for what it is. */
export interface Link {
  /** In the answer. */
  pointer: string;
  usedBy: {
    method: DescribedOperation['method'];
    path: string;
    in: 'path' | 'query' | 'body';
    /** The pointer of the field there. */
    pointer: string;
  };
}
