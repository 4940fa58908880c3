import type { Cut } from './cut-body.ts';
import type { Signature } from './make-signature.ts';
import type { PushBody } from './push-body.ts';

/** A push that is ready to be sent. */
export interface SentPush {
  method: string;
  /** In order, without the headers of the transport. */
  headers: readonly (readonly [name: string, value: string | Signature])[];
  body: PushBody;
  /** How the bytes are sent; at once unless given. */
  transport?: Transport;
}

export interface Transport {
  /** Without a Content-Length. */
  chunked?: boolean;
  /** Where the body is cut; there is a pause before each part. */
  cut?: Cut;
  pauseMs?: number;
  /** Closes the connection without waiting for an answer: when everything is `sent`, or `half` of the body. */
  hangUp?: 'sent' | 'half';
  /** Sends `Expect: 100-continue` and waits before the body. */
  expectContinue?: boolean;
}

/** The value of a header as it is sent. */
export function headerText(value: string | Signature): string {
  return typeof value === 'string' ? value : value.value;
}
