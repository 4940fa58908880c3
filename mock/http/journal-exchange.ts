// A request and its answer, as the journal keeps them.
import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId } from '../../openapi/operations.ts';
import type { Answer } from './render-envelope.ts';

export interface JournalExchange {
  at: number;
  /** By performance.now(), in milliseconds. */
  startedAt: number;
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  operation: OperationId | undefined;
  traceId: string;
  tenantId: number | undefined;
  /** The user or API key that called, or the user who logs in; of those that the world has. */
  who: string | undefined;
  requestBody: string | undefined;
  /** Why the request was refused. */
  refusal: string | undefined;
  /** What forced a different answer. */
  forcedBy: 'prefer' | 'override' | undefined;
  /** Why the mock held the answer back. */
  delayReason: string | undefined;
  answer: Answer | undefined;
  durationMs: number;
}

export type Arrival = Pick<JournalExchange, 'method' | 'url' | 'headers'> & { operation?: OperationId };
