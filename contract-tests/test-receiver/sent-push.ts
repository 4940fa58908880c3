import type { Signature } from './make-signature.ts';
import type { Body } from './push-body.ts';

/** A push that is ready to be sent. */
export interface Push {
  method: string;
  /** In their order and as they are written; without those of the transport. */
  headers: readonly (readonly [name: string, value: string | Signature])[];
  body: Body;
  /** How the bytes go out: in one go unless stated. */
  transport?: Transport;
}

export interface Transport {
  /** Without a Content-Length. */
  chunked?: boolean;
  /** The body in so many pieces, with a pause before each. */
  pieces?: number;
  pauseMs?: number;
  /** The connection ends here, without waiting for an answer: `sent` when all is sent, `half` half-way through the body. */
  leave?: 'sent' | 'half';
  /** Asks for leave to send the body. */
  expectContinue?: boolean;
}

/** The value of a header as it goes out. */
export function headerText(value: string | Signature): string {
  return typeof value === 'string' ? value : value.value;
}
