// The lists of a deployment, where the profile says how they are called.
import type { OperationId } from '../../openapi/operations.ts';
import type { Context } from '../context.ts';
import type { CallOptions } from './call.ts';
import { callProfileOperation, callToEnd } from './profile-calls.ts';
import { type ListedItems, readPages } from './read-pages.ts';

interface ListOptions extends Pick<CallOptions, 'token' | 'tenant'> {
  values?: Record<string, unknown>;
  /** Whether these items are enough, so that no further page is read. */
  isEnough?: Parameters<typeof readPages>[2]['isEnough'];
}

/** Reads a list to its end. Throws NotVerified where its first page is refused. */
export async function readList(
  context: Context,
  id: OperationId,
  { values = {}, isEnough, ...options }: ListOptions = {},
): Promise<ListedItems> {
  const first = await callToEnd(context, id, { values, ...options });
  const send = (page: Record<string, unknown>) =>
    callProfileOperation(context, id, { values: { ...values, ...page }, ...options });
  return readPages(context.operations.get(id), first, { send, ...(isEnough && { isEnough }) });
}
