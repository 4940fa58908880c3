// The description as its readers get it: with its server URL, and with the pushes apart from the calls.
import type { Description } from '../../openapi/description.ts';
import type { Json } from '../../openapi/json.ts';
import { operationObjects } from '../../openapi/resolve.ts';
import { basePath } from '../http/paths.ts';

const events = { name: 'events', description: 'What is pushed to the receivers of webhook subscriptions.' };

export interface Subject {
  description: Description;
  /** The name of the profile that the description was made with. */
  profile: string;
  /** What stands before all paths here: "/w/NAME" in a world by name, nothing at the root. */
  prefix: string;
}

export function describe({ description, profile, prefix }: Subject): Json {
  const shown = structuredClone(description);
  for (const push of operationObjects({ ...shown, paths: {} })) push.tags = [events.name];
  const tags = [...(shown.tags as Json[]), events];
  return {
    ...shown,
    info: explain(shown.info as Json, profile),
    tags,
    servers: [{ url: `${prefix}${basePath}` }],
  };
}

function explain(info: Json, profile: string): Json {
  const note =
    `This is how the mock behaves under the profile \`${profile}\`. What is marked \`gap\` is left open by the interface ` +
    'document, and a deployment may differ; what is marked `requirement` is promised.';
  return { ...info, description: `${info.description}\n\n${note}` };
}
