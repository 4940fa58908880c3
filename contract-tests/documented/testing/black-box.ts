import { startMock } from '../../../mock/start.ts';
import { addExamples } from '../../../openapi/add-examples.ts';
import type { Description } from '../../../openapi/description.ts';
import type { Json } from '../../../openapi/json.ts';
import { type Operation, type OperationId, operationsOf } from '../../../openapi/operations.ts';
import { loadProfile, type Profile } from '../../../openapi/profile.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { samplesFor } from '../../../openapi/samples.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface Described {
  profile: Profile;
  description: Description;
  operations: ReadonlyMap<OperationId, Operation>;
}

/** A running mock; its description has an example of each request and answer. */
export interface BlackBox extends Described {
  baseUrl: string;
  /** Sample values by name, with ids of the demo world. */
  sent: Values;
  apiKey: string;
  /** A site of another tenant. */
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

/** Only the control API advances the clock. */
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

export function describedAt({ description }: Described, { method, path }: Operation): Json {
  return description.paths[path]?.[method.toLowerCase()] as Json;
}
