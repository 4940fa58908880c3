import { addExamples } from '../../openapi/add-examples.ts';
import type { Description } from '../../openapi/description.ts';
import type { Json } from '../../openapi/json.ts';
import { operationObjects } from '../../openapi/resolve.ts';
import { basePath } from '../http/paths.ts';
import { addChannels } from './channels.ts';
import { addFailures } from './failures.ts';
import { type SampleSource, samplesOf } from './samples.ts';

const events = { name: 'events', description: 'What is pushed to the receivers of webhook subscriptions.' };

export interface Subject extends SampleSource {
  description: Description;
  /** The path before `/docs`, empty at the root. */
  prefix: string;
}

export function describe(subject: Subject): Json {
  const { profile, prefix } = subject;
  const shown = structuredClone(subject.description);
  for (const push of operationObjects({ ...shown, paths: {} })) push.tags = [events.name];
  addExamples(shown, samplesOf(subject), profile);
  addFailures(shown, profile);
  addChannels(shown, profile);
  const info = shown.info as Json;
  const note =
    `This is how the mock behaves under the profile \`${profile.name}\`. A gap is left open by the interface document, and a ` +
    `deployment may differ; what is marked as promised holds everywhere. [The description](${prefix}/docs/openapi.json) is there for generators, too.`;
  return {
    ...shown,
    info: { ...info, description: `${info.description}\n\n${note}` },
    tags: [...(shown.tags as Json[]), events],
    servers: [{ url: `${prefix}${basePath}` }],
  };
}
