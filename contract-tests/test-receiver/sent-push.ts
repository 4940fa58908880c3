import type { Cut } from './cut-body.ts';
import type { Signature } from './make-signature.ts';
import type { PushBody } from './push-body.ts';

/** A push that is ready to be sent. */
export interface SentPush {
  method: string;
  /** In order, without transport headers such as Content-Length. */
  headers: readonly (readonly [name: string, value: string | Signature])[];
  body: PushBody;
  /** Default: all bytes at once. */
  transport?: Transport;
}

export interface Transport {
  /** Without a Content-Length. */
  chunked?: boolean;
  /** Cuts the body into parts; `pauseMs` precedes each part. */
  cut?: Cut;
  pauseMs?: number;
  /** Closes the connection without waiting for an answer: after everything is `sent`, or after `half` of the body. */
  hangUp?: 'sent' | 'half';
  /** Sends `Expect: 100-continue` and waits before the body. */
  expectContinue?: boolean;
}

export function headerText(value: string | Signature): string {
  return typeof value === 'string' ? value : value.value;
}
