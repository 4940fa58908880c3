// Whether a deployment knows a path at all.
import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { areAlike, type Exchange } from '../../core/exchange.ts';

/** Whether a refusal has the status and the code of that of a path that nobody has. */
export async function isLikeUnknownPath(context: Context, refusal: Exchange): Promise<boolean> {
  const { request } = refusal;
  const url = `${context.options.baseUrl}/${randomUUID()}`;
  const response = await context.send({ ...request, url, body: request.body && '{}' });
  return areAlike(refusal, { ...refusal, response });
}
