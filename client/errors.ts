// What a call of the client can end with other than its data.

export interface CallFailure {
  /** The call, by method and path template. */
  call: string;
  cause?: unknown;
}

/** A call that did not succeed. `name` tells the kinds apart, as does `instanceof`. No message holds a secret of the client's. */
export class SitepubError extends Error {
  readonly call: string;
  constructor(message: string, { call, cause }: CallFailure) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.call = call;
  }
}

export interface Refusal {
  code: number;
  message: string;
  traceId: string;
  status: number;
}

/** The service refused the call: its `code` is not 0. The message is the service's. */
export class BusinessError extends SitepubError {
  readonly code: number;
  /** To be quoted when reporting a problem. */
  readonly traceId: string;
  /** The HTTP status, of which the interface document promises nothing. */
  readonly status: number;
  constructor({ code, message, traceId, status }: Refusal, failure: CallFailure) {
    super(message, failure);
    this.code = code;
    this.traceId = traceId;
    this.status = status;
  }
}

/** There was an answer, but not one that the client can read; the message says what was expected. */
export class AnswerError extends SitepubError {}

/** There was no answer; `cause` says why. */
export class ConnectionError extends SitepubError {}

/** A login that was not sent, because the client has had its share of the ten a minute. */
export class LoginBudgetError extends SitepubError {}
