// What a program gets from the clients that hey-api and orval make of the description. It only has to compile.
import { createSubscription as createByHeyApi } from './generated/hey-api';
import { createSubscription } from './generated/orval/service';
import type { EventName, Failure } from './generated/orval/service.schemas';

const events: EventName[] = ['publish.complete', 'publish.failed'];
const subscription = { url: 'https://hooks.example/sitepub', events, channel: 'custom' } as const;

/** The identifier of a new subscription, by orval's functions: the status tells a success from a refusal. */
export async function subscribe(siteID: number): Promise<number> {
  const { status, data: envelope } = await createSubscription(siteID, { ...subscription, events });
  if (status !== 200) throw new Error(describe(envelope));
  const succeeded: 0 = envelope.code ?? 0;
  return envelope.data.id + succeeded;
}

/** The same by hey-api's, which return the error beside the data. */
export async function subscribeByHeyApi(siteID: number): Promise<number> {
  const { data: envelope, error } = await createByHeyApi({
    path: { siteID },
    body: { ...subscription, events },
  });
  if (!envelope) throw new Error(describe(error));
  const succeeded: 0 = envelope.code ?? 0;
  return envelope.data.id + succeeded;
}

function describe({ code, message, trace_id }: Failure): string {
  const sum: number = code;
  return `${sum} ${message} (trace_id ${trace_id})`;
}
