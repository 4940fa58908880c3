// Which requests of a recording are calls of the API: those at the base address, or at the one that answers with the envelope.
import { hasEnvelope } from './envelope.ts';
import { looksRandom } from './plain-words.ts';
import { type RecordedExchange, RecordingError } from './recorded-exchange.ts';

export interface ChosenApi {
  /** Without a trailing slash. */
  baseUrl: string;
  isGuessed: boolean;
  calls: RecordedExchange[];
  /** How many requests went elsewhere. */
  elsewhere: number;
}

/** Chooses. Throws RecordingError where nothing in the recording is a call of the API. */
export function chooseApi(exchanges: readonly RecordedExchange[], baseUrl?: string): ChosenApi {
  const guessed = guessBase(exchanges);
  const base = (baseUrl ?? guessed)?.replace(/\/+$/, '');
  if (base === undefined)
    throw new RecordingError(
      exchanges.length === 0
        ? noRequest
        : 'nothing in the recording answers as the service does, with code, message and trace_id; record with the console open, bodies included, or name the API with --base-url',
    );
  const calls = exchanges.filter(({ url }) => pathBelow(base, url) !== undefined);
  if (calls.length === 0) throw new RecordingError(sayNone(base, guessed));
  return {
    baseUrl: base,
    isGuessed: baseUrl === undefined,
    calls,
    elsewhere: exchanges.length - calls.length,
  };
}

const noRequest =
  'the recording holds no request that was answered; record with the console open, and with what was answered';

function sayNone(base: string, guessed: string | undefined): string {
  const other =
    guessed === undefined
      ? ''
      : `; the calls at ${withoutTokens(guessed)} answer as the service does, so try --base-url with that`;
  return `the recording has no call of ${base}${other}`;
}

/** A path may begin with a token. */
function withoutTokens(address: string): string {
  const { origin, pathname } = new URL(address);
  const parts = pathname.split('/').map((part) => (looksRandom(part) ? '…' : part));
  return `${origin}${parts.join('/').replace(/\/$/, '')}`;
}

/** The path of an address below the base address, without its query; undefined for any other address. */
export function pathBelow(baseUrl: string, url: string): string | undefined {
  const [base, address] = [new URL(baseUrl), new URL(url)];
  const start = base.pathname.replace(/\/+$/, '');
  if (base.origin !== address.origin || !address.pathname.startsWith(`${start}/`)) return undefined;
  return address.pathname.slice(start.length);
}

/** The most frequent origin of such answers, and the path up to where the documented paths, or the version, say that it ends. */
function guessBase(exchanges: readonly RecordedExchange[]): string | undefined {
  const byOrigin = Map.groupBy(exchanges.filter(hasEnvelope), ({ url }) => new URL(url).origin);
  const [best] = [...byOrigin].sort(([, one], [, other]) => other.length - one.length);
  if (!best) return undefined;
  const [origin, calls] = best;
  return `${origin}${basePathOf(calls.map(({ url }) => new URL(url).pathname))}`;
}

const documented = /^(.*?)\/(auth\/tenant\/login|auth\/refresh|tenant\/sites\/[^/]+\/webhooks)(\/|$)/;
const versioned = /^(.*?\/v\d+)\//;

function basePathOf(paths: readonly string[]): string {
  for (const pattern of [documented, versioned]) {
    const starts = paths.flatMap((path) => pattern.exec(path)?.[1] ?? []);
    const [start] = mostFrequent(starts);
    if (start !== undefined) return start;
  }
  return paths.every((path) => path.startsWith('/api/')) ? '/api' : '';
}

function mostFrequent(texts: readonly string[]): string[] {
  const counts = Map.groupBy(texts, (text) => text);
  return [...counts].sort(([, one], [, other]) => other.length - one.length).map(([text]) => text);
}
