// Calls of what is no endpoint: an invented path, and a method that a documented path does not have. They carry no token, so whatever
// answers there does nothing.
import type { Context } from '../context.ts';
import { describeAnswer, envelopeOf, type ResponseMessage, succeeded } from '../core/exchange.ts';
import { Unreachable } from '../core/outcomes.ts';
import { requireGoingOn } from './send-request.ts';

interface OutsideCall {
  method: string;
  /** Below the base address. */
  path: string;
}

const inventedPath = '/sitepub-no-such-endpoint';

const all: readonly OutsideCall[] = [
  { method: 'GET', path: inventedPath },
  { method: 'POST', path: `/tenant${inventedPath}` },
  { method: 'PATCH', path: '/auth/tenant/login' },
  { method: 'PUT', path: '/auth/refresh' },
];

/** The calls of the run: none where the profile states an operation there. */
export function outsideCalls({ operations }: Pick<Context, 'operations'>): readonly OutsideCall[] {
  const stated = [...operations.values()].map(({ method, path }) => `${method} ${path.split('?')[0]}`);
  return all.filter(({ method, path }) => !stated.includes(`${method} ${path}`));
}

/** Makes the calls, and a remark on each that is not answered in the envelope, or with a server's error that no refusal of this run had. */
export async function callOutside(context: Context): Promise<void> {
  for (const call of outsideCalls(context)) {
    requireGoingOn(context);
    const response = await sendOutside(context, call);
    if (response && !isAnswered(context, response))
      context.remarks.add(
        'outside-the-endpoints',
        `${call.method} ${call.path}: ${describeAnswer({ operation: undefined, response })}`,
      );
  }
}

/** A lost answer says nothing. */
async function sendOutside(
  { send, options }: Context,
  { method, path }: OutsideCall,
): Promise<ResponseMessage | undefined> {
  const body = method === 'GET' ? undefined : '{}';
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const headers = { ...options.connection?.headers, ...type };
  try {
    return await send({ method, url: `${options.baseUrl}${path}`, headers, body });
  } catch (error) {
    if (error instanceof Unreachable) return undefined;
    throw error;
  }
}

function isAnswered({ exchanges }: Context, response: ResponseMessage): boolean {
  const { code, message, trace_id: traceId } = envelopeOf({ response });
  if (!Number.isInteger(code) || typeof message !== 'string' || typeof traceId !== 'string') return false;
  const isUsual = exchanges.some((one) => one.response.status === response.status && !succeeded(one));
  return response.status < 500 || isUsual;
}
