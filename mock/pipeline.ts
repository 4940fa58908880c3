// A request from its arrival to its answer, read from top to bottom.
import type { FastifyRequest } from 'fastify';
import { type Operation, readRequest } from '../openapi/operations.ts';
import { type Answer, fail, succeed } from './answers.ts';
import { authenticate } from './authenticate.ts';
import { drawOnLimit } from './limits.ts';
import type { AnyHandler } from './operations/call.ts';
import { ApiError, internal, invalidRequest } from './problems.ts';
import { drawHex } from './random.ts';
import { type Body, readBody } from './read-body.ts';
import type { Service } from './service.ts';

/** An operation and what answers it. */
export interface Route {
  operation: Operation;
  handler: AnyHandler;
}

export async function handleRequest(
  service: Service,
  { operation, handler }: Route,
  request: FastifyRequest,
): Promise<Answer> {
  const traceId = newTraceId(service);
  try {
    const now = service.clock.now();
    const caller = authenticate(service, operation, { header: request.headers.authorization, now });
    const body = await readBody(operation, request.raw);
    const input = { ...readRequest(operation, body.value), ...(request.params as Record<string, string>) };
    const countSuccess = drawOnLimit(service, { operation: operation.id, input, now });
    validate(service, operation, body);
    const values = await handler({ ...service, operation, caller, input, now });
    countSuccess();
    return succeed(operation, values, traceId);
  } catch (error) {
    return refuse(service, error, traceId);
  }
}

/** The answer to a request that failed, wherever it did. What nobody foresaw is told to the log only. */
export function refuse(service: Service, error: unknown, traceId = newTraceId(service)): Answer {
  if (error instanceof ApiError) return fail(service.profile, error, traceId);
  service.log(`${traceId} ${error instanceof Error ? error.stack : String(error)}`);
  return fail(service.profile, internal(), traceId);
}

function newTraceId(service: Service): string {
  return drawHex(service.world, 16);
}

function validate(service: Service, { request }: Operation, { value, problem }: Body): void {
  if (problem) throw problem;
  if (!request || value === undefined) return;
  const mismatches = service.validate(request.schema, value);
  if (mismatches.length > 0) throw invalidRequest(mismatches);
}
