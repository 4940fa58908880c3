// Calls each operation of a deployment once, like a person in a console.
import { getPath } from '../../../openapi/json-pointer.ts';
import {
  type Operation,
  operationsOf,
  readLayout,
  writeQuery,
  writeRequest,
} from '../../../openapi/operations.ts';
import type { Profile } from '../../../openapi/profile.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { fillPath } from '../../../openapi/template.ts';
import type { WrittenCall } from '../recording/testing/write-har.ts';

interface Deployment {
  baseUrl: string;
  profile: Profile;
  user: { username: string; password: string };
  siteId: number;
}

export interface Called {
  calls: WrittenCall[];
  /** Operations whose call succeeded. */
  done: Operation[];
}

const order = `login listSites createSite getSite importSite publishSite getPublish failPublish askAi createKey listKeys deleteKey
  createContent listContents getContent updateContent publishContent submitForm listSubmissions createComment listComments
  createSubscription listSubscriptions testSubscription listDeliveries deleteSubscription deleteContent deleteSite refresh`;
const first = order.split(/\s+/);

/** The console's order; operations that it does not name follow before anything is deleted. */
function inOrder(operations: readonly Operation[]): Operation[] {
  const end = first.indexOf('createSubscription');
  const placeOf = ({ id }: Operation) => (first.includes(id) ? first.indexOf(id) : end - 0.5);
  return operations.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The operations that answer the identifiers of a site, a key, a content or a subscription. */
const identifies = /^(?:create|list)(Site|Key|Content|Subscription)s?$/;

/** Texts that a person types; learning must not show them. */
export const typedWords = {
  name: 'Wilhelmina & Co',
  title: 'Opening hours',
  text: 'We open on Friday',
  note: 'for Griselda',
  prompt: 'about scones',
  source: 'https://old.bakery.example/export',
  author: 'Griselda B.',
  form: 'contact-2',
  fields: { email: 'wilhelmina@mail.example', wish: 'hungry' },
  url: 'https://hooks.example.com/in/Kx92mQpL7',
  events: ['publish.complete'],
  channel: 'custom',
  secret: 'correct horse 7',
};

export async function callOperations({ baseUrl, profile, user, siteId }: Deployment): Promise<Called> {
  const operations = operationsOf(resolve(profile));
  const known: Record<string, unknown> = {
    ...typedWords,
    ...user,
    siteID: siteId,
    page: 1,
    page_size: 5,
    offset: 0,
    limit: 5,
  };
  const called: Called = { calls: [], done: [] };
  for (const operation of inOrder(operations)) {
    const written = await call(operation, known, baseUrl);
    called.calls.push(written);
    if (getPath(written.answer, ['code']) !== 0) continue;
    called.done.push(operation);
    remember(operation, written.answer, known);
  }
  return called;
}

function remember({ id, success }: Operation, answer: unknown, known: Record<string, unknown>): void {
  const { token, version, list, ...values } = readLayout(success.layout, answer);
  known.token = token ?? known.token;
  if (id === 'publishSite') known.version = version;
  const [, resource] = identifies.exec(id) ?? [];
  const name = resource && `${resource.toLowerCase()}ID`;
  const [item] = Array.isArray(list) ? (list as { id?: unknown }[]) : [];
  // Prefer the created resource to the first one of a list.
  const found = values.id ?? (known[`${name}`] === undefined ? item?.id : undefined);
  if (name !== undefined && found !== undefined) known[name] = found;
}

async function call(
  operation: Operation,
  known: Readonly<Record<string, unknown>>,
  baseUrl: string,
): Promise<WrittenCall> {
  const { method, path, auth } = operation;
  const sent: Record<string, unknown> = { ...known, id: known.subscriptionID };
  const url = `${baseUrl}${fillPath(path, sent)}${writeQuery(operation, sent)}`;
  const body = writeRequest(operation, sent);
  const headers = {
    ...(auth !== 'none' && { Authorization: `Bearer ${String(sent.token)}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(url, request);
  return { method, path: url, headers, body, status: response.status, answer: await response.json() };
}
