import { profileWith } from '../../../mock/testing/open-mock.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import type { MockRun, TamperPush } from '../run-against-mock.ts';
import { changePushBody, isCreate, jsonOf, refuse, strict } from '../tampering.ts';
import type { Tamper } from '../tampering-proxy.ts';
import { row, type VerdictRow } from './verdict-row.ts';

const only = ['SIG-1', 'SIG-2', 'SIG-3', 'SIG-4', 'SIG-5', 'EVENT-3'];
const full = { tier: 'full', only } as const;

const sixMinutes = 360;
const eightHours = 28_800;

export const signatureRows: readonly VerdictRow[] = [
  row('a fraction in X-Webhook-Timestamp', { passes: only, remarks: ['unusual-timestamp'] }, () => ({
    tamperPush: timestampHeader((text) => `${text}.125`),
    options: full,
  })),
  row(
    'a clock six minutes ahead, also in the Date header',
    { passes: only, remarks: ['clock-differs'] },
    () => ({ ...withClock(sixMinutes), options: full }),
  ),
  row('pushes six minutes ahead of the Date header', { fails: ['EVENT-3', 'SIG-3'] }, () => ({
    tamperPush: ahead(sixMinutes),
    options: full,
  })),
  row('a clock six minutes ahead, and no Date header', { passes: only, remarks: ['clock-differs'] }, () => ({
    tamperPush: ahead(sixMinutes),
    tamper: () => dated(undefined),
    options: full,
  })),
  row('local time sent as Unix time', { fails: ['SIG-3'] }, () => ({
    tamperPush: timestampHeader((text) => String(Number(text) + eightHours)),
    options: full,
  })),
  row(
    'milliseconds in X-Webhook-Timestamp, although the profile states seconds',
    { passes: only, drifts: ['webhook.timestamp-unit'] },
    () => ({
      spoken: profileWith({ 'webhook.timestamp-unit': 'milliseconds' }),
      told: loadProfile('default'),
      options: full,
    }),
  ),
  row(
    'a wrong name of the secret in the profile, and a failure of every other creation with an odd field',
    { leavesOpen: ['SIG-1', 'SIG-5'] },
    () => ({
      spoken: profileWith({ 'subscription.request.secret': 'signing_key' }),
      told: loadProfile('default'),
      tamper: failsOddFields,
      options: full,
    }),
  ),
  row('only secrets of printable ASCII without outer blanks', { passes: only }, () => ({
    tamper: () =>
      strict(
        isCreate,
        ({ body: { secret } }) => secret !== undefined && !/^[!-~]([ -~]*[!-~])?$/.test(String(secret)),
      ),
    options: full,
  })),
];

/** Fails every other creation with a secret that is no text, or with a field that nobody knows. */
function failsOddFields(): Tamper {
  let count = 0;
  return (message, forward) => {
    const { secret, ...body } = jsonOf(message.body);
    const isOdd =
      message.path.endsWith('/webhooks') && (typeof secret === 'object' || 'x-sitepub-nobodys-field' in body);
    return isOdd && count++ % 2 === 0 ? refuse(503, 10503) : forward(message);
  };
}

/** A clock that is ahead in answers and pushes. */
function withClock(seconds: number): MockRun {
  return { tamper: () => dated(seconds), tamperPush: ahead(seconds) };
}

/** A Date header that is ahead, or none. */
function dated(seconds: number | undefined): Tamper {
  return async (message, forward) => {
    const reply = await forward(message);
    const { date, ...headers } = reply.headers;
    if (seconds === undefined) return { ...reply, headers: { ...headers, date: '' } };
    const later = new Date(Date.parse(String(date)) + seconds * 1_000).toUTCString();
    return { ...reply, headers: { ...headers, date: later } };
  };
}

/** Pushes with timestamps in the future, in header and body. */
function ahead(seconds: number): TamperPush {
  const header = timestampHeader((text) => String(Number(text) + seconds));
  const body = changePushBody(({ timestamp, ...rest }) => ({
    ...rest,
    timestamp: new Date(Date.parse(String(timestamp)) + seconds * 1_000).toISOString(),
  }));
  return (push, secret) => body(header(push, secret), secret);
}

function timestampHeader(change: (text: string) => string): TamperPush {
  return (push) => {
    const text = push.headers['x-webhook-timestamp'];
    if (typeof text !== 'string') return push;
    return { ...push, headers: { ...push.headers, 'x-webhook-timestamp': change(text) } };
  };
}
