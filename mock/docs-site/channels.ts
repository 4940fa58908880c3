import { type Description, examplesOf, mediaTypeOf } from '../../openapi/description.ts';
import { chatChannels, type Robot } from '../../openapi/event-names.ts';
import type { Json } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import { operationObjects } from '../../openapi/resolve.ts';
import { renderBody } from '../webhooks/render.ts';

/** Adds the robots' messages to each push of `description`, in addition to its body on the custom channel. */
export function addChannels(description: Description, profile: Profile): void {
  for (const push of operationObjects({ ...description, paths: {} })) {
    const media = mediaTypeOf(push.requestBody as Json);
    const [custom] = examplesOf(media);
    if (!media || !custom) continue;
    const messages = chatChannels.map(
      (robot) => [robot, messageFor(robot, custom.value as CustomBody, profile)] as const,
    );
    media.examples = {
      custom: { summary: 'custom', value: custom.value },
      ...Object.fromEntries(messages.map(([robot, value]) => [robot, { summary: robot, value }])),
    };
    const robotSchemas = messages.map(([robot, value]) => ({
      title: `Channel ${robot}`,
      description: 'The interface document does not describe this message. The mock sends it in this form.',
      'x-gap': `channel.${robot}`,
      ...schemaOf(value),
    }));
    media.schema = { anyOf: [{ title: 'Channel custom', ...(media.schema as Json) }, ...robotSchemas] };
  }
}

interface CustomBody {
  event: string;
  timestamp: string;
  site_id: number;
  site_name: string;
  data: Json;
}

function messageFor(channel: Robot, body: CustomBody, profile: Profile): Json {
  const { event, timestamp, site_id: id, site_name: name, data } = body;
  const push = { event, at: Date.parse(timestamp), site: { id, name }, data };
  const subscription = { id: 1, siteId: id, url: '', events: [], channel, secret: 'SEC', createdAt: 0 };
  return JSON.parse(renderBody(push, subscription, profile)) as Json;
}

/** Derives a schema from an example; only members that name its kind are constant. */
function schemaOf(value: unknown, name = ''): Json {
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
  if (typeof value !== 'object' || value === null)
    return { type: typeof value, ...(/^(msg_?type|tag)$/.test(name) && { const: value }) };
  const entries = Object.entries(value);
  return {
    type: 'object',
    required: entries.map(([key]) => key),
    properties: Object.fromEntries(entries.map(([key, part]) => [key, schemaOf(part, key)])),
  };
}
