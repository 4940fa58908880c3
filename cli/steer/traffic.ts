// The commands for the traffic of a running mock: `sitepub mock requests`, `inbox`, `deliveries`, `trigger`, `resend` and `advance`.
import { parseExactly } from '../../contract-tests/core/parse-json.ts';
import { visibleLines } from '../../contract-tests/core/visible-text.ts';
import { redactAddress } from '../../mock/control/redact-request.ts';
import { eventNames } from '../../openapi/event-names.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { isObject } from '../../openapi/json.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import type { Given } from '../options/flags.ts';
import { readId } from '../options/read-values.ts';
import { UsageError } from '../options/usage-error.ts';
import { lineOf, type Paint, pushLine, requestLine, shown, stateOf, timeOfDay } from '../output/log-lines.ts';
import { describeAnswer, indentJson } from '../receiver/print-push.ts';
import { advanceClock, causeEvent, inboxPath, readPages } from './control-calls.ts';
import { type MockClient, Refused } from './mock-client.ts';
import { listAndFollow, steerCommand } from './steer-command.ts';

export const requests = steerCommand((steering) => {
  const { mock, given, paint } = steering;
  const operation = given.text('operation');
  return listAndFollow<Schemas['Request']>(steering, {
    list: () =>
      readPages(mock, 'requests', (page) => mock.GET('/requests', { query: { operation, ...page } })),
    event: 'request',
    isWanted: (request) => operation === undefined || operation === request.operation,
    keyOf: ({ id }) => String(id),
    toLines: (request) => [requestLine(request, paint)],
    none: 'there are no requests',
  });
});

type StreamedMessage = Schemas['Message'] & { inbox?: string };

export const inbox = steerCommand(async (steering) => {
  const { mock, words } = steering;
  const path = inboxPath(words[0] ?? '');
  const { name } = path;
  await listAndFollow<StreamedMessage>(steering, {
    list: () => readPages(mock, 'messages', (query) => mock.GET('/inbox/{name}/messages', { path, query })),
    event: 'message',
    isWanted: (message) => message.inbox === name,
    keyOf: ({ id, at }) => `${id} ${at}`,
    toLines: messageLines,
    none: `this inbox is empty; its URL is ${mock.url}/inbox/${encodeURIComponent(name)}`,
  });
});

function messageLines(message: Schemas['Message']): string[] {
  const { id, at, method, path, verified, answer, body, body_base64: base64 } = message;
  const head = [
    timeOfDay(at),
    `#${id}`,
    shown(`${method} ${redactAddress(path)}`.trim()),
    verified === undefined ? '' : verified ? 'verified' : 'NOT VERIFIED',
    describeAnswer('error' in answer ? answer.error : answer.status),
  ];
  const text = body === undefined ? `(not UTF-8, in Base64) ${base64}` : visibleLines(indentJson(body));
  return [head.filter(Boolean).join('  '), ...(text === '' ? [] : [text.replace(/^(?=.)/gm, '  ')]), ''];
}

/** Shows the latest attempt. */
function deliveryLine(delivery: Schemas['Delivery'], paint: Paint): string {
  const { attempts, id, event, url, created_at: at } = delivery;
  const last = attempts.at(-1);
  if (last) return pushLine({ ...delivery, ...last, delivery_id: id }, paint);
  const parts = [paint('dim', timeOfDay(at)), `push ${id} ${shown(event)}`, shown(url)];
  return [...parts, stateOf({ ...delivery, at })].join('  ');
}

export const deliveries = steerCommand((steering) => {
  const { mock, given, paint } = steering;
  const [state, site] = [given.text('state'), given.text('site')];
  // Unchecked, because the mock reports what is wrong with them.
  const filter: object = { state, site_id: site };
  return listAndFollow<Schemas['Delivery']>(steering, {
    list: () =>
      readPages(mock, 'deliveries', (page) => mock.GET('/deliveries', { query: { ...filter, ...page } })),
    event: 'delivery',
    isWanted: (one) => (state ?? one.state) === one.state && (site ?? `${one.site_id}`) === `${one.site_id}`,
    keyOf: ({ id, attempts }) => `${id} ${attempts.length}`,
    toLines: (delivery) => [deliveryLine(delivery, paint)],
    none: 'there are no deliveries',
  });
});

export const advance = steerCommand(async ({ mock, words: [duration = ''], print, paint }) => {
  const moved = await advanceClock(mock, duration);
  const { attempts, ...clock } = moved;
  const lines = attempts.map((attempt) => pushLine(attempt, paint));
  print(moved, [...lines, lineOf({ type: 'clock', ...clock }, paint)]);
});

export const resend = steerCommand(async ({ mock, words: [id = ''], print, paint }) => {
  if (!/^[1-9]\d{0,14}$/.test(id))
    throw new UsageError(`"${id}" is not the number of a delivery; \`sitepub mock deliveries\` lists them`);
  const delivery = await sendAgain(mock, id);
  print(delivery, [deliveryLine(delivery, paint)]);
});

async function sendAgain(mock: MockClient, id: string): Promise<Schemas['Delivery']> {
  try {
    return await mock.POST('/deliveries/{id}/redeliver', { path: { id: Number(id) } });
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
    const [first, last] = [await idAtEnd(mock, 'oldest'), await idAtEnd(mock, 'newest')];
    const known = first === undefined ? 'there are none yet' : `the numbers are ${first} to ${last}`;
    throw new UsageError(`there is no delivery ${id}; ${known} (\`sitepub mock deliveries\` lists all)`);
  }
}

async function idAtEnd(mock: MockClient, order: 'oldest' | 'newest'): Promise<number | undefined> {
  const page = await mock.GET('/deliveries', { query: { order, limit: 1 } });
  return page.deliveries[0]?.id;
}

export const trigger = steerCommand(async ({ mock, given, words: [word = ''], print, paint }) => {
  const event = readEvent(word);
  // The identifier of a site may be a bigint, which the types of the control API do not allow.
  const cause: object = { event, site_id: readId(given, 'site'), data: readData(given) };
  const caused = await causeEvent(mock, cause as Schemas['Cause']).catch(nameFlag);
  const none = `site ${caused.site_id} has no subscription to ${event}, so nothing was pushed`;
  const lines = caused.deliveries.map((delivery) => deliveryLine(delivery, paint));
  print(caused, lines.length === 0 ? [none] : lines);
});

/** Names the flag instead of the member of the call. */
function nameFlag(error: unknown): never {
  if (error instanceof Refused)
    error.message = error.message.replace('send "site_id"', 'choose one with --site');
  throw error;
}

function readEvent(word: string): string {
  if ((eventNames as readonly string[]).includes(word)) return word;
  const hint = didYouMean(word, eventNames, `; there are ${eventNames.join(', ')}`);
  throw new UsageError(`there is no event "${word}"${hint}`);
}

/** In bytes; the limit of the mock. */
const largestData = 1_048_576;

function readData(given: Given): object | undefined {
  const text = given.text('data');
  if (text === undefined) return undefined;
  const data = parseExactly(text.startsWith('@') ? readDataFile(text.slice(1)) : text);
  if (isObject(data)) return data;
  throw new UsageError('--data is not a JSON object; expected for example \'{"pages": 2}\', or @FILE');
}

function readDataFile(file: string): string {
  return readNamedText(file, largestData, (reason, advice = 'give @FILE with a JSON object') => {
    return new UsageError(`--data: ${file} can't be read (${reason}); ${advice}`);
  });
}
