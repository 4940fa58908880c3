// One call and its answer, as a browser recorded it. It holds secrets: nothing of it is written anywhere as it is.

export interface RecordedExchange {
  /** In capitals. */
  method: string;
  /** Absolute. */
  url: string;
  /** By their names in small letters. */
  requestHeaders: Readonly<Record<string, string>>;
  /** What a JSON body says, or a form's fields as texts; undefined where there was none, or nobody knows it. */
  requestBody: unknown;
  bodyType: 'json' | 'form' | 'other' | undefined;
  /** A body that is neither, as it was sent; undefined where it is one of them, or no text. */
  otherBody?: string;
  status: number;
  /** What a JSON body says; undefined where it is none, or was not recorded. */
  answer: unknown;
  /** Whether nothing is known of the answer's body. */
  isWithoutBody: boolean;
  setCookies: readonly string[];
  /** Of both bodies, in characters. */
  size: number;
  /** In milliseconds since 1970. */
  startedAt: number;
  /** For people: "entry 14 of console.har". */
  place: string;
}

/** A recording that can't be read; the message says where and why, and holds nothing of its contents. */
export class RecordingError extends Error {
  override name = 'RecordingError';
}
