// The errors that a call of the client can end with.

interface CallFailure {
  /** Method and path template of the call. */
  call: string;
  cause?: unknown;
}

/** A call that did not succeed. `name` distinguishes the kinds, as does `instanceof`. No message holds a secret of the client. */
export class SitepubError extends Error {
  readonly call: string;
  constructor(message: string, { call, cause }: CallFailure) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.call = call;
  }
}

interface Refusal {
  code: number;
  message: string;
  traceId: string;
  status: number;
}

/** The service refused the call: its `code` is not 0. The message is that of the service. */
export class BusinessError extends SitepubError {
  readonly code: number;
  /** To be quoted when reporting a problem. */
  readonly traceId: string;
  /** The HTTP status; the interface document makes no promise about it. */
  readonly status: number;
  constructor({ code, message, traceId, status }: Refusal, failure: CallFailure) {
    super(message, failure);
    this.code = code;
    this.traceId = traceId;
    this.status = status;
  }
}

/** The client can't read the answer; the message says what was expected. */
export class AnswerError extends SitepubError {}

/** An identifier is an integer that a JavaScript number can't hold; the message says whether the call was made. */
export class UnsafeIntegerError extends SitepubError {}

/** No answer came; `cause` says why. */
export class ConnectionError extends SitepubError {}

/** A login was not sent, because the client has used up its share of the ten a minute. */
export class LoginBudgetError extends SitepubError {}
