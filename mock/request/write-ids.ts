import type { OperationId } from '../../openapi/operations.ts';
import type { Values } from '../service.ts';

/** The form of a subscription's identifier is a gap of its own. */
const withOwnForm: readonly OperationId[] = ['createSubscription', 'listSubscriptions'];

/** The values of an answer with identifiers as texts. */
export function writeIds(id: OperationId, values: Values): Values {
  if (withOwnForm.includes(id)) return values;
  const { list } = values;
  return {
    ...writeId(values),
    ...(Array.isArray(list) && { list: list.map((item: Values) => writeId(item)) }),
  };
}

function writeId(values: Values): Values {
  return typeof values.id === 'number' ? { ...values, id: String(values.id) } : values;
}
