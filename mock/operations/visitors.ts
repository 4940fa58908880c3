// What visitors of a published site do.
import type { Call, Values } from '../service.ts';
import { emitEvent } from './emit-event.ts';
import type { Inputs } from './inputs.ts';
import { siteOf } from './lookups.ts';

/** The API does not show which forms a site has, so any name is accepted. */
export function submitForm(call: Call<Inputs['submitForm']>): Values {
  const { world, input, now } = call;
  const site = siteOf(call, input.siteID);
  const { form = 'form', fields = {} } = input;
  const id = ++world.counters.submission;
  const submission = { id, siteId: site.id, form, fields, at: now };
  world.submissions.set(id, submission);
  emitEvent(call, site, { event: 'form.submit', values: { id, form, fields } });
  return { id };
}

export function createComment(call: Call<Inputs['createComment']>): Values {
  const { world, input, now } = call;
  const site = siteOf(call, input.siteID);
  const { author = '', text = '' } = input;
  const id = ++world.counters.comment;
  const comment = { id, siteId: site.id, author, text, at: now };
  world.comments.set(id, comment);
  emitEvent(call, site, { event: 'comment.created', values: { id, author, text } });
  return { id };
}
