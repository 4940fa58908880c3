// What a site has besides itself: read where the profile describes calls for it, and added to by visitors.
import { unknownResource } from '../http/api-errors.ts';
import type { Call, Values } from '../service.ts';
import { emitEvent } from '../webhooks/event-values.ts';
import type { Collection } from '../world/collection.ts';
import type { Content } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import type { Inputs } from './inputs.ts';
import { contentOf, siteOf } from './lookups.ts';
import { answerList, type Page } from './pages.ts';

export function listContents(call: Call<Inputs['listContents']>): Values {
  return answerList(call, ofSite(call, call.world.contents), showContent);
}

export function getContent(call: Call<Inputs['getContent']>): Values {
  return showContent(contentOf(call));
}

export function listSubmissions(call: Call<Inputs['listSubmissions']>): Values {
  return answerList(call, ofSite(call, call.world.submissions), ({ id, form, fields, at }) => ({
    id,
    form,
    fields,
    at: isoTime(at),
  }));
}

export function listComments(call: Call<Inputs['listComments']>): Values {
  return answerList(call, ofSite(call, call.world.comments), ({ id, author, text, at }) => ({
    id,
    author,
    text,
    at: isoTime(at),
  }));
}

/** Of the last publish with this version number, where a deployment gives one out again. */
export function getPublish(call: Call<Inputs['getPublish']>): Values {
  const found = ofSite(call, call.world.publications).findLast(
    ({ version }) => String(version) === String(call.input.version),
  );
  if (!found) throw unknownResource('publish', call.input.version);
  const { version, state, pages } = found;
  return { version, state, pages };
}

function showContent({ id, title, text, state, updatedAt }: Content): Values {
  return { id, title, text, state, updated_at: isoTime(updatedAt) };
}

function ofSite<Entry extends object>(
  call: Call<Page & { siteID: string | number }>,
  entries: Collection<number, Entry, number>,
): Entry[] {
  return [...entries.of(siteOf(call, call.input.siteID).id).values()];
}

/** The API does not show which forms a site has, so any name is accepted. */
export function submitForm(call: Call<Inputs['submitForm']>): Values {
  const { world, input, now } = call;
  const site = siteOf(call, input.siteID);
  const { form = 'form', fields = {} } = input;
  const id = ++world.counters.submission;
  world.submissions.set(id, { id, siteId: site.id, form, fields, at: now });
  emitEvent(call, site, { event: 'form.submit', values: { id, form, fields } });
  return { id };
}

export function createComment(call: Call<Inputs['createComment']>): Values {
  const { world, input, now } = call;
  const site = siteOf(call, input.siteID);
  const { author = '', text = '' } = input;
  const id = ++world.counters.comment;
  world.comments.set(id, { id, siteId: site.id, author, text, at: now });
  emitEvent(call, site, { event: 'comment.created', values: { id, author, text } });
  return { id };
}
