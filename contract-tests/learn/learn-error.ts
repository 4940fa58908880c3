/** What can't be learnt from: the message says what happened, where, and what to do. `unreachable`: it could not be fetched. */
export class LearnError extends Error {
  readonly kind: 'unusable' | 'unreachable';
  constructor(message: string, kind: 'unusable' | 'unreachable' = 'unusable') {
    super(message);
    this.kind = kind;
  }
}
