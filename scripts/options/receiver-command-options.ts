import { readOptionalUrl } from './deployment-options.ts';
import { type Flags, type Given, listFlag, secretFlag, switchFlag, textFlag } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** How a push is answered: with a status, not at all, or by ending the connection. */
export type AnswerStep = number | 'timeout' | 'reset';

export const receiverFlags: Flags = {
  listen: textFlag('HOST:PORT', 'where to listen (default: 127.0.0.1:4020; port 0 for any free one)'),
  respond: listFlag(
    'STEP…',
    'answers to the pushes in turn, the last one repeated: statuses, timeout, reset (default: 200, and 401 when the signature is wrong)',
  ),
  forward: textFlag(
    'URL',
    'pass each push on to this address as it came, whether it is verified or not, and answer as that answers',
  ),
  secret: secretFlag('refuse to start without a signing secret'),
  json: switchFlag('print one line of JSON when ready, and one for each push'),
};

export const receiverEnvironment = [
  'SITEPUB_WEBHOOK_SECRET       the signing secret; without it nothing is verified',
  'SITEPUB_WEBHOOK_SECRET_FILE  or the file that holds it; several lines are several secrets, any of which is accepted',
].join('\n');

/** "host:port", a port alone, or an IPv6 address in brackets. */
export function readListen(given: Given): { host: string; port: number } {
  const listen = given.text('listen') ?? '127.0.0.1:4020';
  const [, host = '', port] = /^(?:(\[[\da-fA-F:.]+\]|[^\s:/[\]]+):)?(\d{1,5})$/.exec(listen) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(`--listen is "${listen}"; expected HOST:PORT, such as 127.0.0.1:4020`);
  return { host: host.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(port) };
}

export function readSteps(given: Given): AnswerStep[] {
  return given.list('respond').map(readStep);
}

function readStep(text: string): AnswerStep {
  if (text === 'timeout' || text === 'reset') return text;
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  throw new UsageError(`--respond holds "${text}"; expected a status from 200 to 599, timeout or reset`);
}

/** Where pushes are passed on to. */
export function readForward(given: Given): string | undefined {
  const url = readOptionalUrl(given, 'forward');
  if (url !== undefined && given.list('respond').length > 0)
    throw new UsageError('--forward and --respond exclude each other: the target answers');
  return url;
}
