import type { Schemas } from '../../openapi/generated/control-types.ts';
import { UsageError } from '../options/usage-error.ts';
import { type MockClient, Refused } from './mock-client.ts';
import { deliveryLine, paintOutput } from './show-pushes.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub mock resend ID`: sends a push again. */
export const resend = steerCommand(send);

async function send({ mock, words: [id = ''], print }: Steering): Promise<number> {
  if (!/^[1-9]\d{0,14}$/.test(id))
    throw new UsageError(`"${id}" is no number of a delivery; \`sitepub mock deliveries\` lists them`);
  const delivery = await sendAgain(mock, id);
  print(delivery, [deliveryLine(delivery, paintOutput())]);
  return 0;
}

async function sendAgain(mock: MockClient, id: string): Promise<Schemas['Delivery']> {
  try {
    return await mock.POST('/deliveries/{id}/redeliver', { path: { id: Number(id) } });
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
    const [first, last] = [await idAtEnd(mock, 'oldest'), await idAtEnd(mock, 'newest')];
    const known = first === undefined ? 'there are none yet' : `there are those from ${first} to ${last}`;
    throw new UsageError(`there is no delivery ${id}; ${known}, and \`sitepub mock deliveries\` lists them`);
  }
}

async function idAtEnd(mock: MockClient, order: 'oldest' | 'newest'): Promise<number | undefined> {
  const { deliveries } = await mock.GET('/deliveries', { query: { order, limit: 1 } });
  return deliveries[0]?.id;
}
