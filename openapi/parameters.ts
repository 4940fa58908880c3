// The parameters of an operation in its path and its query, read from the description.

import { type Description, dereference } from './description.ts';
import type { Json } from './json.ts';
import { getAt } from './json-pointer.ts';

export interface Parameter {
  name: string;
  /** JSON Pointer to its schema. */
  schema: string;
}

/** Of a query; what the deployment calls it, and how its value is written. */
export interface QueryParameter {
  parameter: string;
  /** A text with placeholders; without any it is a constant. */
  template: string;
  isRequired: boolean;
  /** Whether its text is read as a number. */
  isNumber: boolean;
  /** JSON Pointer to its schema. */
  schema: string;
}

/** The parameters of an operation, those of its path item included: `parameters` are those in its path, all required. */
export function parametersOf(
  description: Description,
  holders: readonly string[],
): { parameters: Parameter[]; query?: QueryParameter[] } {
  const stated = holders.flatMap((holder) => statedParameters(description, holder));
  const inPath = stated
    .filter(({ parameter }) => parameter.in === 'path')
    .map(({ parameter, at }) => ({ name: String(parameter.name), schema: `${at}/schema` }));
  const query = stated.filter(({ parameter }) => parameter.in === 'query').map(queryParameter);
  return {
    // A parameter of the operation overrides one of the same name of its path.
    parameters: [...new Map(inPath.map((parameter) => [parameter.name, parameter])).values()],
    ...(query.length > 0 && { query }),
  };
}

function queryParameter({ parameter, at }: StatedParameter): QueryParameter {
  const { name, required, schema, 'x-template': template, 'x-value': value } = parameter;
  const types = [(schema as Json).type].flat();
  return {
    parameter: String(name),
    template: typeof template === 'string' ? template : `{${String(value)}}`,
    isRequired: required === true,
    isNumber: types.includes('integer') && !types.includes('string'),
    schema: `${at}/schema`,
  };
}

interface StatedParameter {
  parameter: Json;
  at: string;
}

function statedParameters(description: Description, holder: string): StatedParameter[] {
  const stated = (getAt(description, `${holder}/parameters`) ?? []) as Json[];
  return stated.map((parameter, index) => ({
    parameter: dereference(description, parameter),
    at: typeof parameter.$ref === 'string' ? parameter.$ref.slice(1) : `${holder}/parameters/${index}`,
  }));
}
