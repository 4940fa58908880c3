// Requests of the service, ready to be sent.
import { type OperationId, operationsOf, writeRequest } from '../../openapi/operations.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { fillPath } from '../../openapi/template.ts';

export interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export const basePath = '/api/v1';

export type CallMaker = (id: OperationId, values: Readonly<Record<string, unknown>>, token?: string) => Call;

/** Makes the requests of the default profile, from values in the names of the description. */
export function createCallMaker(): CallMaker {
  const operations = new Map(
    operationsOf(resolve(loadProfile('default'))).map((operation) => [operation.id, operation]),
  );
  return (id, values, token) => {
    const operation = operations.get(id);
    if (!operation) throw new Error(`the default profile does not offer ${id}`);
    const body = writeRequest(operation, values);
    return {
      method: operation.method,
      path: basePath + fillPath(operation.path, values),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
  };
}
