// The fields of a request body, read from the description of the deployment.

import type { Description } from '../../../openapi/description.ts';
import { dereference } from '../../../openapi/description.ts';
import type { Json } from '../../../openapi/json.ts';
import { type Operation, schemaAt } from '../../../openapi/operations.ts';
import { resolve } from '../../../openapi/resolve.ts';
import type { Context } from '../../context.ts';
import { NotVerified } from '../../core/outcomes.ts';

/** A field by the name of its value; `member` is what the deployment calls it. */
export interface Field {
  name: string;
  member: string;
  isRequired: boolean;
  type: string;
  /** The values to choose from, for a single value or for a list. */
  names: readonly string[];
}

export interface BodyFields {
  operation: Operation;
  fields: readonly Field[];
}

/** The body of an operation's request. */
export function bodyFieldsOf({ profile, operations }: Context, id: Operation['id']): BodyFields {
  const operation = operations.get(id);
  if (!operation?.request) throw new NotVerified(`the profile does not say how to call ${id} with a body`);
  const description = resolve(profile);
  const schema = dereference(description, schemaAt(description, operation.request.schema));
  const required = (schema.required ?? []) as readonly string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  return {
    operation,
    fields: properties.map(([member, own]) => {
      const part = dereference(description, own);
      return {
        name: String(own['x-value'] ?? part['x-value'] ?? member),
        member,
        isRequired: required.includes(member),
        type: String(part.type ?? 'string'),
        names: namesIn(description, part),
      };
    }),
  };
}

/** A field by the name of its value. */
export function findField({ fields, operation }: BodyFields, name: string): Field {
  const field = fields.find((one) => one.name === name);
  if (!field) throw new NotVerified(`the description of ${operation.id} has no ${name}`);
  return field;
}

function namesIn(description: Description, schema: Json): readonly string[] {
  const { enum: names } = schema.items ? dereference(description, schema.items as Json) : schema;
  return Array.isArray(names) ? names.map(String) : [];
}
