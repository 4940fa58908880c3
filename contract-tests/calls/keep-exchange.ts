// The exchanges of a run, however large the answers are: the last ones whole, of earlier ones the beginning.
import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { shortenJson, shortenText } from '../core/shorten-json.ts';
import { learnTokens } from '../redaction/learn-tokens.ts';

type Keeper = Pick<Context, 'exchanges' | 'secrets' | 'options'>;

/** What is shorter is never cut, in characters. */
const short = 4_096;

/** The beginning of an answer that is kept for reports. */
const beginning = 65_536;

/** So much is kept whole, of the last answers; and so much in all, unless every exchange is to be written down. */
const mostWhole = 8_388_608;
const mostInAll = 25_165_824;

/** Adds an exchange to those of the run. The checks that wait for an answer have it whole. */
export function keepExchange(context: Keeper, exchange: Exchange): void {
  context.exchanges.push(exchange);
  learnTokens({ exchanges: [exchange], secrets: context.secrets });
  if (exchange.response.text.length > short) cutEarlier(context);
}

function cutEarlier({ exchanges, options }: Keeper): void {
  let kept = 0;
  for (const exchange of exchanges.toReversed()) {
    const { length } = exchange.response.text;
    if (length <= short) continue;
    kept += length;
    const isTooMuch = kept > mostInAll && !options.recordsExchanges;
    if (kept > mostWhole) cutAnswer(exchange, isTooMuch ? short : beginning);
  }
}

const few = { text: 1_024, items: 100, values: 1_000 };

function cutAnswer(exchange: Exchange, length: number): void {
  const { response, values } = exchange;
  if (response.whole && response.text.length <= length + 1) return;
  const { text, json } = response;
  exchange.response = {
    ...response,
    text: shortenText(text, length),
    json: json === undefined ? undefined : shortenJson(json, few),
    whole: response.whole ?? {
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    },
  };
  exchange.values = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, shortenJson(value, { ...few, text: beginning })]),
  );
}
