// Writes down what a page asks for as Chrome saves it in a HAR file, bodies and credentials included.
import type { CDPSession } from 'puppeteer-core';

interface HarOfChrome {
  log: { version: string; creator: { name: string; version: string }; pages: unknown[]; entries: Entry[] };
}

interface Entry {
  [name: string]: unknown;
}

interface Seen {
  entry: Entry;
  requestHeaders: Record<string, string>;
  response: Record<string, unknown> | undefined;
  isFinished: boolean;
}

export interface HarRecording {
  /** Reads the bodies, and ends the recording. */
  finish(): Promise<HarOfChrome>;
}

/** Begins to record what the page of a session asks for. */
export async function recordHar(session: CDPSession): Promise<HarRecording> {
  const seen = new Map<string, Seen>();
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({ requestId, request, wallTime, type }) => {
    const { method, url, headers, postData } = request;
    const requestHeaders = { ...headers };
    const entry: Entry = {
      _resourceType: (type ?? 'other').toLowerCase(),
      startedDateTime: new Date(wallTime * 1_000).toISOString(),
      request: {
        method,
        url,
        ...(postData !== undefined && {
          postData: { mimeType: headers['Content-Type'] ?? '', text: postData },
        }),
      },
    };
    seen.set(requestId, { entry, requestHeaders, response: undefined, isFinished: false });
  });
  session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    const one = seen.get(requestId);
    if (one) Object.assign(one.requestHeaders, headers);
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const one = seen.get(requestId);
    if (one) one.response = { ...response };
  });
  session.on('Network.loadingFinished', ({ requestId }) => {
    const one = seen.get(requestId);
    if (one) one.isFinished = true;
  });
  return {
    finish: async () => {
      const entries: Entry[] = [];
      for (const [requestId, one] of seen) entries.push(await entryOf(requestId, one, session));
      const creator = { name: 'WebInspector', version: '537.36' };
      return { log: { version: '1.2', creator, pages: [], entries } };
    },
  };
}

async function entryOf(requestId: string, one: Seen, session: CDPSession): Promise<Entry> {
  const { entry, requestHeaders, response = {}, isFinished } = one;
  const { status = 0, headers = {}, mimeType = '' } = response;
  const content = isFinished ? await bodyOf(requestId, session) : {};
  return {
    ...entry,
    request: { ...(entry.request as Entry), headers: pairs(requestHeaders), queryString: [], cookies: [] },
    response: {
      status,
      headers: pairs(headers as Record<string, string>),
      content: { mimeType, ...content },
    },
  };
}

async function bodyOf(requestId: string, session: CDPSession): Promise<Entry> {
  try {
    const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId });
    return { text: body, ...(base64Encoded && { encoding: 'base64' }) };
  } catch {
    return {};
  }
}

function pairs(headers: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
