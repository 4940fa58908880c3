// The calls of the control API. Their description is read at the first call, since that would delay the mock's start.
import type { Description } from '../../openapi/description.ts';
import type { operations } from '../../openapi/generated/control-types.ts';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { methods, readDescription } from '../../openapi/resolve.ts';
import { createErrorFinder, type ErrorFinder } from '../../openapi/validate.ts';

export interface ControlContract {
  calls: readonly ControlCall[];
  findErrors: ErrorFinder;
}

/** A call as described. Schemas are JSON Pointers into the description. */
export interface ControlCall {
  id: keyof operations;
  method: string;
  turn: Turn;
  /** Of the path; one in braces matches any. */
  segments: readonly string[];
  parameters: readonly ControlParameter[];
  body: { schema: string; isRequired: boolean } | undefined;
}

/** What a call needs of a world that a store persists, as the description explains. */
type Turn = 'none' | 'read' | 'journal' | 'change';

interface ControlParameter {
  name: string;
  place: 'query' | 'path';
  isInteger: boolean;
  schema: string;
}

let contract: ControlContract | undefined;

/** The same for all mocks. */
export function controlContract(): ControlContract {
  contract ??= readContract();
  return contract;
}

/** A call by its operationId. */
export function controlCall(id: keyof operations): ControlCall {
  const call = controlContract().calls.find((one) => one.id === id);
  if (!call) throw new Error(`the call ${id} is not described`);
  return call;
}

/** A call as people write it, such as "GET /_mock/clock". */
export function callNameOf({ method, segments }: Pick<ControlCall, 'method' | 'segments'>): string {
  return `${method} /${segments.join('/')}`;
}

function readContract(): ControlContract {
  const description = readDescription('mock-control.yaml');
  const calls = Object.entries(description.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => readCall(description, path, method)),
  );
  return { calls, findErrors: createErrorFinder(description) };
}

function readCall(description: Description, path: string, method: string): ControlCall {
  const at = `/paths/${path.replaceAll('/', '~1')}`;
  const operation = getAt(description, `${at}/${method}`) as Json;
  const body = operation.requestBody as { required?: boolean } | undefined;
  return {
    id: operation.operationId as keyof operations,
    method: method.toUpperCase(),
    turn: operation['x-turn'] as Turn,
    segments: path.split('/').slice(1),
    parameters: [at, `${at}/${method}`].flatMap((holder) => readParameters(description, holder)),
    body: body && {
      schema: `${at}/${method}/requestBody/content/application~1json/schema`,
      isRequired: body.required ?? false,
    },
  };
}

function readParameters(description: Description, holder: string): ControlParameter[] {
  const stated = (getAt(description, `${holder}/parameters`) ?? []) as Json[];
  return stated.map(({ $ref }, index) => {
    const own = typeof $ref === 'string' ? $ref.slice(1) : `${holder}/parameters/${index}`;
    const { name, in: place, schema } = getAt(description, own) as Json;
    return {
      name: String(name),
      place: place === 'path' ? 'path' : 'query',
      isInteger: (schema as Json).type === 'integer',
      schema: `${own}/schema`,
    };
  });
}
