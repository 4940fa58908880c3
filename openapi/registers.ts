// The two registers as data: gaps.yaml and requirements.yaml.
import { contract } from './contract.ts';

/** A JSON Schema, or a part of an OpenAPI description. */
export type Json = { [key: string]: unknown };

export type GapKind =
  | 'field'
  | 'pointer'
  | 'status'
  | 'fill'
  | 'template'
  | 'errors'
  | 'operation'
  | 'behaviour';

/** Something the interface document leaves open; the fields are explained at the top of gaps.yaml. */
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
  placeholders?: string[];
  reads?: string[];
}

/** Something the interface document promises. */
export interface Requirement {
  id: string;
  section: string;
  level: 'documented' | 'implied';
  title: string;
  quote: string;
  needs: string[];
  target?: 'receiver';
}

const pointer: Json = { type: 'string', pattern: '^(/([^/~]|~[01])+)+$' };

/** The pattern of an operation's path. */
export const callPath = '^/[^?#*\\s]*$';

/** The members by which the value of an operation gap says how it is called. */
const callProperties: Readonly<Record<string, Json>> = {
  method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  path: { type: 'string', pattern: callPath },
  auth: { enum: ['bearer', 'none'] },
  body: { type: 'object' },
  status: { type: 'integer', minimum: 200, maximum: 299 },
};

/** How any operation is called; all further members are pointers. The members that one may have are `membersOf`. */
export const callSchema: Json = {
  type: 'object',
  required: ['method', 'path'],
  properties: callProperties,
  additionalProperties: pointer,
};

/** All gaps, in the order of gaps.yaml. */
export const gaps: readonly Gap[] = (contract.gaps as Gap[]).map((gap) =>
  gap.kind === 'operation' ? { ...gap, schema: operationSchema(gap), default: 'unknown' } : gap,
);

/** All requirements, in the order of requirements.yaml. */
export function readRequirements(): readonly Requirement[] {
  return contract.requirements as Requirement[];
}

const gapsById = new Map(gaps.map((gap) => [gap.id, gap]));

/** The gap of an id, or undefined. */
export function findGap(id: string): Gap | undefined {
  return gapsById.get(id);
}

/** The members that the value of an operation gap may have. */
export function membersOf({ reads = [] }: Gap): string[] {
  return [...Object.keys(callProperties), ...reads];
}

/** The possible values of an operation gap: how it is called and where in its answer the checks find what they read. */
function operationSchema({ reads = [] }: Gap): Json {
  const pointers = Object.fromEntries(reads.map((name) => [name, pointer]));
  const properties = { ...callProperties, ...pointers };
  return {
    oneOf: [{ enum: ['not-offered', 'unknown'] }, { ...callSchema, additionalProperties: false, properties }],
  };
}
