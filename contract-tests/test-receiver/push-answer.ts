// What came of a push.

export type Answer = Answered | Silence;

export interface Answered {
  kind: 'answered';
  status: number;
  /** The beginning of the body. */
  text: string;
  retryAfter: string | undefined;
  ms: number;
}

/** No answer at all: nobody could be reached, the connection was closed, or nothing came in time. */
export interface Silence {
  kind: 'silence';
  reason: string;
  how: 'gone' | 'closed' | 'late';
  ms: number;
}

export function isAccepted(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.status >= 200 && answer.status <= 299;
}

/** Neither a status at all, nor one that says whose fault it is. */
export function isBreakdown(answer: Answer): boolean {
  return answer.kind === 'silence' || answer.status >= 500;
}

/** "HTTP 401 unauthorized". */
export function describeAnswer(answer: Answer): string {
  if (answer.kind === 'silence') return `no answer: ${answer.reason}`;
  const { status, text } = answer;
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return `HTTP ${status}${shown === '' ? '' : ` ${shown}`}`;
}
