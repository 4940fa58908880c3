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

/** The possible values of an operation gap: how it is called and where in its answer the checks find what they read. */
function operationSchema(gap: Gap): Json {
  const reads = Object.fromEntries((gap.reads ?? []).map((name) => [name, pointer]));
  const call = {
    method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    path: { type: 'string', pattern: '^/[^?#*\\s]*$' },
    auth: { enum: ['bearer', 'none'] },
    body: { type: 'object' },
    status: { type: 'integer', minimum: 200, maximum: 299 },
  };
  return {
    oneOf: [
      { enum: ['not-offered', 'unknown'] },
      {
        type: 'object',
        required: ['method', 'path'],
        additionalProperties: false,
        properties: { ...call, ...reads },
      },
    ],
  };
}
