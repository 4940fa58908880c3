import type { Call, Values } from '../service.ts';
import { bounds, keepNewest } from '../world/bounds.ts';
import { keepBytes } from '../world/kept-bytes.ts';
import type { Content } from '../world/world.ts';
import { emitEvent } from './emit-event.ts';
import type { Inputs } from './inputs.ts';
import { contentOf, siteOf } from './lookups.ts';

/** Creates a draft, which emits no event, unless the deployment publishes all that is created. */
export function createContent(call: Call<Inputs['createContent']>): Values {
  const { world, input, now } = call;
  const site = siteOf(call, input.siteID);
  const id = ++world.counters.content;
  const content: Content = {
    id,
    siteId: site.id,
    title: input.title,
    text: input.text ?? '',
    state: 'draft',
    updatedAt: now,
  };
  world.contents.set(id, content);
  site.isUnchanged = false;
  keepNewest(world.contents, bounds.contents);
  keepBytes(world, 'content', content);
  if (!call.operation.also?.includes('operation.publish-content')) return { ...content };
  content.state = 'published';
  return emitAndShow(call, 'content.publish', content);
}

export function publishContent(call: Call<Inputs['publishContent']>): Values {
  const content = contentOf(call);
  content.state = 'published';
  content.updatedAt = call.now;
  return emitAndShow(call, 'content.publish', content);
}

export function updateContent(call: Call<Inputs['updateContent']>): Values {
  const { title, text } = call.input;
  const content = Object.assign(contentOf(call), {
    ...(title !== undefined && { title }),
    ...(text !== undefined && { text }),
    updatedAt: call.now,
  });
  keepBytes(call.world, 'content', content);
  return emitAndShow(call, 'content.update', content);
}

export function deleteContent(call: Call<Inputs['deleteContent']>): Values {
  const content = contentOf(call);
  call.world.contents.delete(content.id);
  return emitAndShow(call, 'content.delete', content);
}

function emitAndShow(
  call: Call<{ siteID: string | number }>,
  event: 'content.publish' | 'content.update' | 'content.delete',
  content: Content,
): Values {
  const { id, title } = content;
  const site = siteOf(call, call.input.siteID);
  site.isUnchanged = false;
  emitEvent(call, site, { event, values: { id, title } });
  return { ...content };
}
