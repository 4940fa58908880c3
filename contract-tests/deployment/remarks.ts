// Remarks: behaviour that the interface document does not forbid but that integrators should know. They fail only with --fail-on.

export const remarkTitles = {
  late: 'A push arrived later than --arrival-timeout; the interface document promises no latency',
  'ended-later': 'A deleted key, site or session is still accepted for a few seconds, up to a minute',
  'locked-longer': 'Calls are refused for longer than the minute of the rate limit',
  greeting:
    'A new webhook URL receives a message before any event, which the interface document does not mention',
  'signing-secret-shown': 'A response after the creation shows the signing secret',
  'other-json-type': 'A JSON response does not have Content-Type application/json',
  'byte-order-mark': 'A response has a byte order mark before its JSON, which many clients refuse',
  'outside-the-endpoints': 'The response to an unknown path or method does not have the envelope',
  'clock-differs':
    "A timestamp differs from the suite's clock, and the deployment's Date header does too or is missing",
  'unusual-timestamp': 'A timestamp has a valid but unusual form',
  'lenient-identifier': 'An id is accepted in a form that the service never returned',
  'lenient-name': 'A name is accepted in a form other than the documented one',
  'completed-url': 'A webhook URL is stored in a form other than the sent one',
  'other-scheme': 'A valid token is accepted with a scheme other than Bearer',
  'lenient-password': 'A password is accepted in a form other than the correct one',
  'key-renewed': 'The refresh endpoint accepts an API key',
} as const;

export type RemarkId = keyof typeof remarkTitles;

/** One remark in the report. */
export interface RemarkReport {
  id: RemarkId;
  what: string;
  count: number;
  example: string;
}

export interface Remarks {
  /** The report shows the first example of each remark. */
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
