import type { Call, Values } from '../service.ts';
import { emitEvent } from '../webhooks/event-values.ts';
import type { Collection } from '../world/collection.ts';
import type { Comment, Content, Submission } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import { callingTenant, contentOf, editSiteOf, type OfContent, type OfSite, siteOf } from './lookups.ts';
import { answerList, type Page } from './pages.ts';

export function createContent(call: Call<OfSite & { title: string; text?: string }>): Values {
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

export function publishContent(call: Call<OfContent>): Values {
  const content = call.world.contents.edit(contentOf(call).id);
  content.state = 'published';
  content.updatedAt = call.now;
  return emitAndShow(call, 'content.publish', content);
}

export function updateContent(call: Call<OfContent & { title?: string; text?: string }>): Values {
  const { title, text } = call.input;
  const content = Object.assign(call.world.contents.edit(contentOf(call).id), {
    ...(title !== undefined && { title }),
    ...(text !== undefined && { text }),
    updatedAt: call.now,
  });
  return emitAndShow(call, 'content.update', content);
}

export function deleteContent(call: Call<OfContent>): Values {
  const content = contentOf(call);
  call.world.contents.delete(content.id);
  return emitAndShow(call, 'content.delete', content);
}

function emitAndShow(
  call: Call<OfSite>,
  event: 'content.publish' | 'content.update' | 'content.delete',
  content: Content,
): Values {
  const { id, title } = content;
  const site = editSiteOf(call, call.input.siteID);
  site.isUnchanged = false;
  emitEvent(call, site, { event, values: { id, title } });
  return { ...content };
}

/** Stands in for the AI-assisted functions: the same prompt returns the same text, and nothing is stored. */
export function askAi(call: Call<Partial<OfSite> & { prompt: string }>): Values {
  const { siteID, prompt } = call.input;
  const name = siteID === undefined ? undefined : siteOf(call, siteID).name;
  if (name === undefined) callingTenant(call);
  const subject = [...prompt].slice(0, 60).join('');
  const where = name === undefined ? '' : ` (${name})`;
  return { text: `关于“${subject}”的草稿${where} / A draft about "${subject}"${where}.` };
}

export function listContents(call: Call<OfSite & Page>): Values {
  return answerList(call, ofSite(call, call.world.contents), showContent);
}

export function getContent(call: Call<OfContent>): Values {
  return showContent(contentOf(call));
}

export function listSubmissions(call: Call<OfSite & Page>): Values {
  return answerList(call, ofSite(call, call.world.submissions), showRecord);
}

export function listComments(call: Call<OfSite & Page>): Values {
  return answerList(call, ofSite(call, call.world.comments), showRecord);
}

function showRecord({ at, ...shown }: Submission | Comment): Values {
  return { ...shown, at: isoTime(at) };
}

function showContent({ id, title, text, state, updatedAt }: Content): Values {
  return { id, title, text, state, updated_at: isoTime(updatedAt) };
}

function ofSite<Entry extends object>(
  call: Call<OfSite>,
  entries: Collection<number, Entry, number>,
): Entry[] {
  return [...entries.of(siteOf(call, call.input.siteID).id).values()];
}

/** The API does not show which forms a site has, so any name is accepted. */
export function submitForm(call: Call<OfSite & { form?: string; fields?: Values }>): Values {
  const { world, input, now } = call;
  const site = siteOf(call, input.siteID);
  const { form = 'form', fields = {} } = input;
  const id = ++world.counters.submission;
  world.submissions.set(id, { id, siteId: site.id, form, fields, at: now });
  emitEvent(call, site, { event: 'form.submit', values: { id, form, fields } });
  return { id };
}

export function createComment(call: Call<OfSite & { author?: string; text?: string }>): Values {
  const { world, input, now } = call;
  const site = siteOf(call, input.siteID);
  const { author = '', text = '' } = input;
  const id = ++world.counters.comment;
  world.comments.set(id, { id, siteId: site.id, author, text, at: now });
  emitEvent(call, site, { event: 'comment.created', values: { id, author, text } });
  return { id };
}
