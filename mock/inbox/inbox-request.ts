/** A request to an inbox. */
export interface InboxRequest {
  method: string;
  /** The path after that of the inbox, with the query: "?key=abc", "/x" or "". */
  path: string;
  /** By name in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

export interface InboxAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function answerJson(value: object): InboxAnswer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
