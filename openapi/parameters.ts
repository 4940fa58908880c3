// The parameters of an operation in its path and its query, read from the description.

import { type Description, dereference } from './description.ts';
import type { Json } from './json.ts';
import { formatPointer, getAt } from './json-pointer.ts';

export interface Parameter {
  name: string;
  /** JSON Pointer to its schema. */
  schema: string;
}

/** `name` is that of the value; the deployment calls it `parameter`. */
export interface QueryParameter extends Parameter {
  parameter: string;
}

interface Parameters {
  parameters: readonly Parameter[];
  query?: readonly QueryParameter[];
}

/** The parameters of an operation: `parameters` are those in its path, all required; `query` those in its query, all optional. */
export function parametersOf(description: Description, path: string, method: string): Parameters {
  const stated = statedParameters(description, path, method);
  const inPath = stated
    .filter(({ parameter }) => parameter.in === 'path')
    .map(({ parameter, at }) => ({ name: String(parameter.name), schema: `${at}/schema` }));
  const query = stated
    .filter(({ parameter }) => parameter.in === 'query')
    .map(({ parameter, at }) => ({
      name: String(parameter['x-value']),
      parameter: String(parameter.name),
      schema: `${at}/schema`,
    }));
  return {
    // A parameter of the operation overrides one of the same name of its path.
    parameters: [...new Map(inPath.map((parameter) => [parameter.name, parameter])).values()],
    ...(query.length > 0 && { query }),
  };
}

interface StatedParameter {
  parameter: Json;
  at: string;
}

function statedParameters(description: Description, path: string, method: string): StatedParameter[] {
  const holders = [formatPointer(['paths', path]), formatPointer(['paths', path, method])];
  return holders.flatMap((holder) => {
    const stated = (getAt(description, `${holder}/parameters`) ?? []) as Json[];
    return stated.map((parameter, index) => ({
      parameter: dereference(description, parameter),
      at: typeof parameter.$ref === 'string' ? parameter.$ref.slice(1) : `${holder}/parameters/${index}`,
    }));
  });
}
