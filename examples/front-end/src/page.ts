// The page. It calls only its own backend, and knows neither tokens nor keys.
interface Envelope {
  code: number;
  message: string;
  trace_id: string;
  data?: { list?: { site_id: number; site_name: string }[]; version?: number };
}

const login = element('login', HTMLFormElement);
const sites = element('sites', HTMLUListElement);
const problem = element('problem', HTMLParagraphElement);
const news = element('news', HTMLParagraphElement);

login.addEventListener('submit', async (event) => {
  event.preventDefault();
  const credentials = Object.fromEntries(new FormData(login));
  if (await call('POST', '/session', credentials)) await showSites();
});

new EventSource('/news').addEventListener('message', ({ data }) => {
  const { event, site } = JSON.parse(data);
  news.textContent = `${site}: ${event === 'publish.complete' ? 'published' : 'publishing failed'}`;
});

async function showSites(): Promise<void> {
  const envelope = await call('GET', '/api/tenant/sites');
  if (!envelope) return;
  const list = envelope.data?.list ?? [];
  sites.replaceChildren(...list.map(({ site_id: id, site_name: name }) => siteLine(id, name)));
  if (list.length === 0) sites.textContent = 'There are no sites yet.';
}

function siteLine(id: number, name: string): HTMLLIElement {
  const line = document.createElement('li');
  const publish = document.createElement('button');
  publish.textContent = `Publish ${name}`;
  publish.addEventListener('click', () =>
    call('POST', `/api/tenant/sites/${id}/publish`, { note: 'from the page' }),
  );
  line.append(publish);
  return line;
}

/** Undefined if the call was refused; the page then shows the refusal. */
async function call(method: string, path: string, body?: unknown): Promise<Envelope | undefined> {
  problem.textContent = '';
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers }),
  });
  const envelope = (await answer.json()) as Envelope;
  login.hidden = envelope.code !== -1 && (login.hidden || envelope.code === 0);
  if (envelope.code === 0) return envelope;
  problem.textContent = `${envelope.message}${envelope.trace_id && ` (trace_id ${envelope.trace_id})`}`;
  return undefined;
}

function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${id}`);
}
