interface CallFailure {
  /** Method and path template. */
  call: string;
  cause?: unknown;
}

/** A failed call. `name` distinguishes the kinds, as does `instanceof`. No message contains a secret of the client. */
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

/** The service refused the call with a `code` other than 0; the message is the service's. */
export class BusinessError extends SitepubError {
  readonly code: number;
  /** Quote it when reporting a problem. */
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

/** A JavaScript number can't hold an identifier; the message says whether the call was sent. */
export class UnsafeIntegerError extends SitepubError {}

/** No answer came; `cause` says why. */
export class ConnectionError extends SitepubError {}

/** A login was not sent, since the client has used its five of the tenant's ten a minute. */
export class LoginBudgetError extends SitepubError {}
