import { contract } from './contract.ts';
import type { GapValues } from './generated/gap-values.ts';
import type { Json } from './json.ts';

type GapKind = 'field' | 'pointer' | 'status' | 'fill' | 'template' | 'errors' | 'operation' | 'behaviour';

/** A question that the interface document leaves open. The top of gaps.yaml explains the members. */
export interface Gap {
  id: string;
  kind: GapKind;
  section: string;
  question: string;
  quote?: string;
  schema: Json;
  default: unknown;
  probe?: string;
  fill?: Record<string, Json>;
  conventional?: Record<string, number>;
  meanings?: Record<string, string>;
  placeholders?: string[];
  query?: string[];
  by?: string[];
  reads?: string[];
}

export interface Requirement {
  id: string;
  section: string;
  level: 'documented' | 'implied';
  title: string;
  quote: string;
  /** What fails the requirement, why no other reading allows that, and what does not fail it. */
  reading: string;
  needs: string[];
  target?: 'receiver';
  /** Why no check of a deployment covers the requirement. */
  excluded?: string;
}

const pointer: Json = {
  type: 'string',
  pattern: '^(/([^/~]|~[01])+)+$',
  description: 'a JSON Pointer into the response body, for example /data/token',
};

const callProperties = {
  method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  path: {
    type: 'string',
    pattern: '^/[^?#*\\s]*(\\?[^#\\s]+)?$',
    description:
      'a path, for example /tenant/sites, with its query if it has one, without spaces, "#" or "*"',
  },
  auth: { enum: ['bearer', 'session', 'api-key', 'none'] },
  body: { type: 'object' },
  query: {
    type: 'object',
    minProperties: 1,
    propertyNames: { type: 'string', minLength: 1, maxLength: 100 },
    additionalProperties: {
      type: ['string', 'number', 'boolean'],
      description: 'a text or a number: a placeholder or a constant',
    },
  },
  status: { type: 'integer', minimum: 200, maximum: 299 },
} satisfies Record<string, Json>;

/** Additional members are pointers; `membersOf` lists the members of one operation. */
export const callSchema: Json = {
  type: 'object',
  required: ['method', 'path'],
  properties: callProperties,
  additionalProperties: pointer,
};

export const gaps: readonly Gap[] = (contract.gaps as Gap[]).map((gap) =>
  gap.kind === 'operation' ? { ...gap, schema: operationSchema(gap), default: 'unknown' } : gap,
);

export function readRequirements(): readonly Requirement[] {
  return contract.requirements as Requirement[];
}

const gapsById = new Map(gaps.map((gap) => [gap.id, gap]));

export function findGap(id: string): Gap | undefined {
  return gapsById.get(id);
}

export function idsOf(kind: GapKind): string[] {
  return gaps.filter((gap) => gap.kind === kind).map(({ id }) => id);
}

/** For ids that are known only at run time. */
export function valueAt(values: GapValues, id: string): unknown {
  return (values as unknown as Record<string, unknown>)[id];
}

export function membersOf(gap: Gap): string[] {
  return Object.keys(propertiesOf(gap));
}

function operationSchema(gap: Gap): Json {
  const call = { ...callSchema, additionalProperties: false, properties: propertiesOf(gap) };
  return { oneOf: [{ enum: ['not-offered', 'unknown'] }, call, ...(gap.by ? [bySchema(gap.by)] : [])] };
}

/** For an operation that the call of another operation also performs. */
export function bySchema(operations: readonly string[]): Json {
  return {
    type: 'object',
    required: ['by'],
    additionalProperties: false,
    properties: { by: { enum: operations } },
  };
}

function propertiesOf({ reads = [] }: Gap): Record<string, Json> {
  return { ...callProperties, ...Object.fromEntries(reads.map((name) => [name, pointer])) };
}
