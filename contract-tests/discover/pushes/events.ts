// Causes events, and reads the form of their `data` from the pushes.
import { eventNames } from '../../../openapi/event-names.ts';
import type { EventName } from '../../../openapi/generated/types.ts';
import type { OperationId } from '../../../openapi/operations.ts';
import { findGap } from '../../../openapi/registers.ts';
import { causeOf, neededFor } from '../../core/event-operations.ts';
import { succeeded } from '../../core/exchange.ts';
import { type JsonLeaf, jsonLeavesOf } from '../../core/json-leaves.ts';
import { isSameId } from '../../core/parse-json.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { comesWithin } from '../../push-receiver/wait-for-push.ts';
import { isGiven, placeholdersIn } from '../ask/operations.ts';
import { markOf, operationsIn, type Probe, receiverOf, StepImpossible } from '../probe.ts';
import { createSubscription } from '../subscription/requests.ts';
import { tryOne } from '../tries/try.ts';
import { toTemplate, withoutConstants } from './data-template.ts';
import { readBody } from './read-pushes.ts';
import {
  dismissGreeting,
  eventNameOf,
  fieldOf,
  greetingMs,
  pushCount,
  waitUntilPushed,
} from './test-pushes.ts';

type Values = Readonly<Record<string, unknown>>;

/** Undefined if no content exists to call it with. `mark` is unique. */
type ValuesOf = (mark: string, content: Values) => Values | undefined;

const ofContent: ValuesOf = (_mark, content) => (content.contentID === undefined ? undefined : content);
const ofSite: ValuesOf = () => ({});

/** In the order of the calls, so that each list is read while it has an item. */
const calls: Partial<Record<OperationId, ValuesOf>> = {
  createContent: (mark) => ({ title: `${mark} é海`, text: mark }),
  listContents: ofSite,
  getContent: ofContent,
  publishContent: ofContent,
  updateContent: (mark, content) =>
    ofContent(mark, content) && { ...content, title: `${mark} new é海`, text: mark },
  deleteContent: ofContent,
  submitForm: (mark) => ({ form: `${mark}-form`, fields: { [`${mark}-field`]: `${mark} é海` } }),
  listSubmissions: ofSite,
  createComment: (mark) => ({ author: `${mark}-author`, text: `${mark} é海` }),
  listComments: ofSite,
  failPublish: (mark) => ({ note: mark }),
};

const eventGap = (event: EventName) => `event-data.${event}`;
const isOfContent = (event: EventName) => event.startsWith('content.');

/** Calls learnt operations on the site created for them, and operations for the other events on the given site. */
export async function probeEvents(probe: Probe): Promise<void> {
  const { findings, created, options } = probe;
  const { site } = created;
  const caused = new Set<EventName>();
  if (site !== undefined) {
    const path = await pathOf(probe, site);
    for (const event of await callEach(probe, { site, path })) caused.add(event);
  }
  // Later steps use only operations that this step confirmed.
  probe.seen.operations = operationsIn(findings);
  const missing = eventNames.filter((event) => findGap(eventGap(event)) && !findings.has(eventGap(event)));
  const wanted = missing.filter((event) => !caused.has(event) && hasOperations(probe, event));
  if (wanted.length === 0 || !receiverOf(probe)) return;
  const path = await pathOf(probe, options.siteId);
  if (path !== undefined) await callEach(probe, { site: options.siteId, path, wanted });
}

/** Subscribes to all events of a site; returns the path of their pushes. */
async function pathOf(probe: Probe, site: unknown): Promise<string | undefined> {
  if (!receiverOf(probe) || !probe.findings.has('subscription.response.id')) return undefined;
  const { exchange, path } = await createSubscription(probe, { events: eventNames, site });
  if (!succeeded(exchange)) return undefined;
  await dismissGreeting(probe, path);
  return path;
}

export function hasOperations(probe: Probe, event: EventName): boolean {
  const needed = neededFor(probe.seen.operations, event);
  return [...needed, ...(isOfContent(event) ? (['createContent'] as const) : [])].every((id) =>
    isGiven(probe, id),
  );
}

interface Site {
  site: unknown;
  path: string | undefined;
  /** Undefined: call all given operations. */
  wanted?: readonly EventName[];
}

/** Returns the events that were caused. */
async function callEach(probe: Probe, { site, path, wanted }: Site): Promise<EventName[]> {
  probe.options.onProgress?.('causing events');
  const caused: EventName[] = [];
  let content: Values = {};
  for (const [id, valuesOf] of Object.entries(calls) as [OperationId, ValuesOf][]) {
    const event = eventNames.find((one) => causeOf(probe.seen.operations, one) === id);
    const isNeeded = id === 'createContent' && wanted?.some(isOfContent);
    const isWanted = !wanted || isNeeded || wanted.some((one) => one === event);
    const mark = `sitepub-${markOf(probe)}`;
    const values = valuesOf(mark, content);
    if (!values || !isWanted || !isGiven(probe, id)) continue;
    const before = path === undefined ? 0 : pushCount(probe, path);
    const answer = await tryOne(probe, id, { siteID: site, ...values }).catch(leaveOut);
    if (!answer || !succeeded(answer.exchange)) continue;
    const sent = Object.fromEntries(placeholdersIn(probe, id).map((name) => [name, values[name]]));
    if (id === 'createContent') content = { contentID: answer.values.id };
    if (/^(create|update)Content$/.test(id))
      content = { ...content, ...('title' in sent && { title: sent.title }) };
    if (event === undefined) continue;
    caused.push(event);
    const known = isOfContent(event)
      ? { id: content.contentID, title: content.title }
      : { ...sent, id: answer.values.id };
    if (path !== undefined) await readEvent(probe, path, { event, before, values: known });
  }
  return caused;
}

/** Other events can still be caused. */
function leaveOut(error: unknown): undefined {
  if (!(error instanceof StepImpossible)) throw error;
}

export async function causeEvent(probe: Probe, event: EventName, site: unknown): Promise<void> {
  const id = causeOf(probe.seen.operations, event);
  const mark = `sitepub-${markOf(probe)}`;
  await tryOne(probe, id, { siteID: site, ...(calls[id]?.(mark, {}) ?? { note: mark }) });
}

interface Caused {
  event: EventName;
  /** Number of earlier pushes. */
  before: number;
  values: Values;
}

async function readEvent(probe: Probe, path: string, caused: Caused): Promise<undefined> {
  const gap = eventGap(caused.event);
  if (!findGap(gap) || probe.findings.has(gap)) return;
  const push = await pushOf(probe, path, caused);
  if (!push) return probe.findings.missed([gap], 'no push of the event arrived');
  // The body of a test push may not show the style, or have another one.
  readBody(probe, push);
  const template = templateOf(caused, fieldOf(push, 'data'));
  if (template === undefined)
    return probe.findings.missed([gap], 'the push contains none of the sent values');
  probe.findings.found(gap, template, 'the push of an event caused with known values');
}

/** Tells constants from values only if each value of the event is known. */
function templateOf({ event, values }: Caused, data: unknown): unknown {
  const known = findGap(eventGap(event))?.placeholders ?? [];
  const sent = known.filter((name) => values[name] !== undefined);
  const template = toTemplate(data, { values: sent.map((name) => [name, values[name]]), known });
  return sent.length === known.length ? template : withoutConstants(template);
}

/** Other clients may cause the same event: without a sent value in it, the push must be the only one. */
async function pushOf(
  probe: Probe,
  path: string,
  { event, before, values }: Caused,
): Promise<Push | undefined> {
  const pushes = () => (receiverOf(probe)?.pushesTo(path) ?? []).slice(before);
  const ofEvent = () => pushes().filter((push) => eventNameOf(push) === event);
  const ours = () => ofEvent().find((push) => isOurs(probe, push, values));
  const first = await waitUntilPushed(probe, path, () => ours() ?? ofEvent()[0]);
  if (first && !ours()) await comesWithin(probe, () => ours() !== undefined, greetingMs);
  return ours() ?? (ofEvent().length === 1 ? first : undefined);
}

function isOurs({ runId }: Probe, push: Push, { id }: Values): boolean {
  const isId = ({ value }: JsonLeaf) => isSameId(value, id);
  return push.body.includes(runId) || (id !== undefined && jsonLeavesOf(fieldOf(push, 'data')).some(isId));
}
