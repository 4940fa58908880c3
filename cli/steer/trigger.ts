import { eventNames } from '../../openapi/event-names.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import type { Given } from '../options/flags.ts';
import { readId } from '../options/read-values.ts';
import { UsageError } from '../options/usage-error.ts';
import { type MockClient, Refused } from './mock-client.ts';
import { deliveryLine, paintOutput } from './show-pushes.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub mock trigger EVENT`: causes an event, and shows what was pushed. */
export const trigger = steerCommand(cause);

async function cause({ mock, given, words: [word = ''], print }: Steering): Promise<number> {
  const event = readEvent(word);
  const site = readId(given, 'site');
  const data = readData(given);
  const { site_id: siteId, deliveries } = await causeEvent(mock, { event, site_id: site, data });
  if (deliveries.length > 0) await mock.POST('/drain');
  const sent: Schemas['Delivery'][] = [];
  for (const { id } of deliveries) sent.push(await mock.GET('/deliveries/{id}', { path: { id } }));
  const none = `nobody is subscribed to ${event} on site ${siteId}, so nothing was pushed`;
  const paint = paintOutput();
  const lines = sent.length === 0 ? [none] : sent.map((delivery) => deliveryLine(delivery, paint));
  print({ site_id: siteId, deliveries: sent }, lines);
  return 0;
}

async function causeEvent(mock: MockClient, body: object) {
  try {
    return await mock.POST('/events', { body: body as Schemas['Cause'] });
  } catch (error) {
    if (error instanceof Refused)
      error.message = error.message.replace('send "site_id"', 'choose one with --site');
    throw error;
  }
}

function readEvent(word: string): string {
  if ((eventNames as readonly string[]).includes(word)) return word;
  const hint = didYouMean(word, eventNames, `; there are ${eventNames.join(', ')}`);
  throw new UsageError(`there is no event "${word}"${hint}`);
}

function readData(given: Given): object | undefined {
  const text = given.text('data');
  if (text === undefined) return undefined;
  const data = parseJson(text.startsWith('@') ? readDataFile(text.slice(1)) : text);
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data;
  throw new UsageError('--data is no JSON object; expected one such as \'{"pages": 2}\', or @FILE with one');
}

/** In bytes; what the mock takes. */
const largestData = 1_048_576;

function readDataFile(file: string): string {
  return readNamedText(file, largestData, (reason, advice = 'give @FILE with a JSON object') => {
    return new UsageError(`--data: ${file} can't be read (${reason}); ${advice}`);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
