import { callNameOf, controlContract } from './control-contract.ts';
import { ControlError } from './control-error.ts';
import { advices, explain } from './explain-input.ts';

/** Throws a ControlError if the body of a call does not fit the description. */
export function checkBody(callId: string, body: unknown): void {
  const contract = controlContract();
  const call = contract.calls.find(({ id }) => id === callId);
  if (!call?.body) throw new Error(`the call ${callId} takes no body`);
  const reason = explain(contract.findErrors, call.body.schema, body);
  if (reason !== undefined)
    throw new ControlError(400, `${callNameOf(call)}: ${reason}${advices[callId] ?? ''}`);
}
