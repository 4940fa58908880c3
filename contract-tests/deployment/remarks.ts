// Remarks: what the document does not forbid in so many words, and yet what integrators stumble over. They fail nothing unless --fail-on names them.

/** What each remark says, by id. */
export const remarkTitles = {
  late: 'Something came later than --arrival-timeout; the document promises no latency',
  'ended-later': 'What was deleted or ended is accepted for some seconds more, up to a minute',
  'locked-longer': 'Calls stay refused for longer than the minute of the limit',
  greeting: 'A new target gets a message before any event, which the document does not mention',
  'signing-secret-shown': 'The signing secret is shown in another place than the answer to the creation',
  'other-json-type': 'An answer that is JSON is not declared as application/json',
  'byte-order-mark': 'An answer has a byte order mark before its JSON, which many clients refuse',
  'outside-the-endpoints': 'A path or method that is no endpoint is not answered in the envelope',
  'clock-differs':
    "A timestamp differs from the deployment's own Date header, or there is no Date header to compare with",
  'unusual-timestamp': 'A timestamp is of a lawful but unusual form',
  'lenient-identifier': 'An identifier is accepted in a form that was never given out',
  'lenient-name': 'A name is accepted in another form than the documented one',
  'completed-url': 'A receiving URL is stored in another form than it was sent',
  'other-scheme': 'A valid token is accepted under another scheme than Bearer',
  'lenient-password': 'A password is accepted in another form than the right one',
  'key-renewed': 'The refresh endpoint accepts an API key',
} as const;

export type RemarkId = keyof typeof remarkTitles;

/** One remark in the report: what it says, how often it was made, and an example. */
export interface RemarkReport {
  id: RemarkId;
  what: string;
  count: number;
  example: string;
}

export interface Remarks {
  /** Makes a remark; the report shows the first example. */
  add(id: RemarkId, example: string): void;
  report(): RemarkReport[];
}

export function createRemarks(): Remarks {
  const made = new Map<RemarkId, RemarkReport>();
  return {
    add: (id, example) => {
      const { count, example: first } = made.get(id) ?? { count: 0, example };
      made.set(id, { id, what: remarkTitles[id], count: count + 1, example: first });
    },
    report: () => [...made.values()],
  };
}
