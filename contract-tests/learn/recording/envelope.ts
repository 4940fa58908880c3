// The envelope of the service's answers, by which its API is told from other requests of a page.
import { isObject } from '../../../openapi/json.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/** Whether an answer is {code, message, …, trace_id}. */
export function hasEnvelope({ answer }: RecordedExchange): boolean {
  if (!isObject(answer)) return false;
  const { code, message, trace_id: trace } = answer;
  return /^-?\d+$/.test(String(code)) && typeof message === 'string' && typeof trace === 'string';
}

/** What became of a call; undefined where nobody can tell, as its answer was not recorded or is something else. */
export function outcomeOf(exchange: RecordedExchange): 'success' | 'refused' | undefined {
  if (exchange.isWithoutBody && exchange.status === 204) return 'success';
  const code = isObject(exchange.answer) ? exchange.answer.code : undefined;
  if (code === 0 || code === '0') return 'success';
  return hasEnvelope(exchange) ? 'refused' : undefined;
}
