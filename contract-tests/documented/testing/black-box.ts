// A running mock as its clients see it: an address, credentials and a description.
import { startMock } from '../../../mock/start.ts';
import { addExamples } from '../../../openapi/add-examples.ts';
import type { Description } from '../../../openapi/description.ts';
import type { Json } from '../../../openapi/json.ts';
import { type Operation, type OperationId, operationsOf } from '../../../openapi/operations.ts';
import { loadProfile, type Profile } from '../../../openapi/profile.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { samplesFor } from '../../../openapi/samples.ts';

export type Values = Readonly<Record<string, unknown>>;

/** What a profile says without a mock. */
export interface Described {
  profile: Profile;
  description: Description;
  operations: ReadonlyMap<OperationId, Operation>;
}

/** Its description has an example of each request and answer. */
export interface BlackBox extends Described {
  baseUrl: string;
  /** The values of calls, by name: samples, with the identifiers of the demo world. */
  sent: Values;
  apiKey: string;
  /** Another tenant's site. */
  foreignSite: number;
  control: Awaited<ReturnType<typeof startMock>>['control'];
  close(): Promise<void>;
}

export function describeProfile(name: string): Described {
  const profile = loadProfile(name);
  const description = structuredClone(resolve(profile));
  const operations = new Map(operationsOf(description).map((operation) => [operation.id, operation]));
  return { profile, description, operations };
}

/** The clock stands still until the control API moves it. */
export async function openBlackBox(profileName: string): Promise<BlackBox> {
  const described = describeProfile(profileName);
  const { profile, description } = described;
  const mock = await startMock({ profile, clock: 'manual' });
  const [main, other] = mock.tenants;
  const { control, baseUrl, close } = mock;
  const known = {
    ...main?.users[0],
    siteID: main?.sites[0]?.id,
    url: control.inbox('documented').url,
  };
  const samples = samplesFor(profile, known);
  addExamples(description, samples, profile);
  return {
    ...described,
    baseUrl,
    sent: samples.sent,
    apiKey: String(main?.apiKey),
    foreignSite: Number(other?.sites[0]?.id),
    control,
    close,
  };
}

/** The operation object of the description. */
export function describedAt({ description }: Described, { method, path }: Operation): Json {
  return description.paths[path]?.[method.toLowerCase()] as Json;
}
