// Creates something that is changed and deleted later: by its answer, where that is known to name it.
import type { OperationId } from '../../openapi/operations.ts';
import { succeeded } from '../core/exchange.ts';
import { type CallResult, callOperation, needsProof } from './call-operations.ts';
import type { Probe } from './discovery-probe.ts';
import { untilTaken } from './send-request.ts';
import { proveCreation } from './tries/prove-creation.ts';

/** The values of the answer have no identifier where nothing shows that it is that of what was created. */
export async function createOwn(
  probe: Probe,
  id: OperationId,
  values: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<CallResult> {
  const answer = await callOperation(probe, id, values, headers);
  if (!needsProof(probe, id) || !succeeded(answer.exchange) || answer.values.id === undefined) return answer;
  const call = (other: OperationId, names: Record<string, unknown>) =>
    untilTaken(
      probe,
      () => callOperation(probe, other, names),
      ({ exchange }) => succeeded(exchange),
    );
  const all = { siteID: probe.options.siteId, ...values };
  if (await proveCreation(probe, id, { answer, values: all, call })) return answer;
  const { id: _, ...others } = answer.values;
  return { ...answer, values: others };
}
