import type { OperationId } from '../../openapi/operations.ts';
import type { Mock } from '../service.ts';
import { ControlError } from './control-error.ts';
import { unknownName } from './explain-input.ts';

/** Throws a ControlError for an operation that the mock does not serve. */
export function checkOperation(
  { operations }: Pick<Mock, 'operations'>,
  name: string,
): asserts name is OperationId {
  if (operations.some((operation) => operation === name)) return;
  throw new ControlError(400, `there is no operation ${unknownName(name, operations)}`);
}
