import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { areAlike, type Exchange } from '../../core/exchange.ts';

/** Whether a refusal has the same status and code as the answer to an unknown path. */
export async function isLikeUnknownPath(context: Context, refusal: Exchange): Promise<boolean> {
  const { request } = refusal;
  const url = `${context.options.baseUrl}/${randomUUID()}`;
  const response = await context.send({ ...request, url, body: request.body && '{}' });
  return areAlike(refusal, { ...refusal, response });
}
