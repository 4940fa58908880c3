// An API as the people who built it know it, before a framework describes it. Styles turn it into OpenAPI descriptions.

/** What people say of something, in two languages. */
export interface Words {
  en: string;
  zh: string;
}

type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null' | 'any';

/** A value in a path, query or body. */
export interface ApiValue {
  type: ValueType;
  words?: Words;
  /** Whether its name says too little, so that nobody would leave its description out. */
  needsWords?: boolean;
  format?: string;
  pattern?: string;
  /** The values that it can have. */
  values?: readonly unknown[];
  /** The one value that it has. */
  constant?: { value: unknown };
  example?: unknown;
  isNullable?: boolean;
  minItems?: number;
  properties?: readonly ApiProperty[];
  items?: ApiValue;
  /** A name for its class, in Pascal case without suffixes such as DTO: "Site". */
  model?: string;
}

export interface ApiProperty {
  name: string;
  value: ApiValue;
  isRequired: boolean;
  /** Whether it only ever stands in answers, though the class of a request has it. */
  isReadOnly?: boolean;
}

export interface ApiParameter extends ApiProperty {
  /** What profiles call it: "siteID". */
  placeholder?: string;
}

export interface ApiAnswer {
  /** The operation gap whose call is answered so; undefined where an operation has one answer for all. */
  gap?: string;
  status: number;
  /** The whole body, envelope included. */
  body: ApiValue;
}

/** One method of one path. */
export interface ApiOperation {
  /** The gaps that say how it is called; empty for documented operations and for those that are no business of ours. */
  gaps: readonly string[];
  method: string;
  /** Below the base address, with the names of `pathParameters` in braces. */
  path: string;
  /** A singular noun in camel case, such as "site" or "apiKey", and what is done to it, such as "create" or "rotateSecret". */
  resource: string;
  action: string;
  summary: Words;
  details?: Words;
  /** Whether its method and path say too little, so that nobody would leave its summary out. */
  needsWords: boolean;
  pathParameters: readonly ApiParameter[];
  query: readonly ApiParameter[];
  /** More than one are alternatives; none means that it takes no body. */
  bodies: readonly ApiValue[];
  answers: readonly ApiAnswer[];
  auth: 'bearer' | 'session' | 'api-key' | 'none';
  isDeprecated?: boolean;
}
