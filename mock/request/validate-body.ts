import { invalidRequest } from '../http/api-errors.ts';
import type { Body } from '../http/read-body.ts';
import type { AnyCall } from '../service.ts';

export function validateBody({ operation: { request }, validate }: AnyCall, { value, problem }: Body): void {
  if (problem) throw problem;
  if (!request || value === undefined) return;
  const mismatches = validate(request.schema, value);
  if (mismatches.length > 0) throw invalidRequest(mismatches);
}
