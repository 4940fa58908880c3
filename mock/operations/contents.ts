// The contents of a site, and drafts by the AI-assisted functions.
import type { Call, Values } from '../service.ts';
import { emitEvent } from '../webhooks/event-values.ts';
import type { Content } from '../world/entries.ts';
import type { Inputs } from './inputs.ts';
import { callingTenant, contentOf, editSiteOf, siteOf } from './lookups.ts';

/** Creates a draft, which emits no event, unless the deployment publishes all that is created. */
export function createContent(call: Call<Inputs['createContent']>): Values {
  const { world, input, now } = call;
  const site = editSiteOf(call, input.siteID);
  const isPublished = call.operation.also?.includes('operation.publish-content') ?? false;
  const id = ++world.counters.content;
  const content: Content = {
    id,
    siteId: site.id,
    title: input.title,
    text: input.text ?? '',
    state: isPublished ? 'published' : 'draft',
    updatedAt: now,
  };
  world.contents.set(id, content);
  site.isUnchanged = false;
  return isPublished ? emitAndShow(call, 'content.publish', content) : { ...content };
}

export function publishContent(call: Call<Inputs['publishContent']>): Values {
  const content = call.world.contents.edit(contentOf(call).id);
  content.state = 'published';
  content.updatedAt = call.now;
  return emitAndShow(call, 'content.publish', content);
}

export function updateContent(call: Call<Inputs['updateContent']>): Values {
  const { title, text } = call.input;
  const content = Object.assign(call.world.contents.edit(contentOf(call).id), {
    ...(title !== undefined && { title }),
    ...(text !== undefined && { text }),
    updatedAt: call.now,
  });
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
  const site = editSiteOf(call, call.input.siteID);
  site.isUnchanged = false;
  emitEvent(call, site, { event, values: { id, title } });
  return { ...content };
}

/** Stands in for the AI-assisted functions: the same prompt returns the same text. */
export function askAi(call: Call<Inputs['askAi']>): Values {
  const { siteID, prompt } = call.input;
  const name = siteID === undefined ? undefined : siteOf(call, siteID).name;
  if (name === undefined) callingTenant(call);
  const subject = [...prompt].slice(0, 60).join('');
  const where = name === undefined ? '' : ` (${name})`;
  return { text: `关于“${subject}”的草稿${where} / A draft about "${subject}"${where}.` };
}
