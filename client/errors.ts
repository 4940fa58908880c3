interface CallFailure {
  /** Method and path template. */
  call: string;
  cause?: unknown;
}

/** A failed call. `name` and `instanceof` distinguish the kinds. Messages contain no secrets of the client. */
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

/** The service refused the call with a `code` other than 0 (section 7). The message comes from the service. */
export class BusinessError extends SitepubError {
  readonly code: number;
  /** Quote it when you report a problem. */
  readonly traceId: string;
  /** The HTTP status. The interface document does not define it. */
  readonly status: number;
  constructor({ code, message, traceId, status }: Refusal, failure: CallFailure) {
    super(message, failure);
    this.code = code;
    this.traceId = traceId;
    this.status = status;
  }
}

/** The client cannot read the answer. The message says what it expected. */
export class AnswerError extends SitepubError {}

/** A JavaScript number cannot represent an identifier exactly. The message says whether the call was sent. */
export class UnsafeIntegerError extends SitepubError {}

/** The service did not answer; `cause` has the reason. */
export class ConnectionError extends SitepubError {}

/** The client did not send a login, because it has used five of the tenant's ten logins a minute. */
export class LoginBudgetError extends SitepubError {}
