import type { FastifyInstance } from 'fastify';
import { jsonIn } from '../../openapi/json.ts';
import { type Operation, readLayout, writeQuery, writeRequest } from '../../openapi/operations.ts';
import { fillPath } from '../../openapi/template.ts';
import type { CallService } from '../control/controlled-mock.ts';
import { basePath } from '../http/paths.ts';
import { readLongJson } from '../world/long-ids.ts';

export function createServiceCaller(app: FastifyInstance, operations: readonly Operation[]): CallService {
  return (id) => {
    const operation = operations.find((one) => one.id === id);
    if (!operation) return undefined;
    return {
      auth: operation.auth,
      async call(values, token) {
        const payload = writeRequest(operation, values);
        // biome-ignore lint/nursery/useAwaitThenable: Fastify's overload without a callback returns a promise
        const { statusCode: status, payload: body } = await app.inject({
          method: operation.method as 'POST',
          url: basePath + fillPath(operation.path, values) + writeQuery(operation, values),
          headers: {
            'user-agent': 'sitepub console',
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          },
          ...(payload !== undefined && { payload: payload as object }),
        });
        return { status, body, values: readLayout(operation.success.layout, jsonIn(readLongJson(body))) };
      },
    };
  };
}
