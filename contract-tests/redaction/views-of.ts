// A text as it reads after one layer of encoding after the other was taken off, in whatever order they were put on.
import { decodeEscapes, decodeLeniently, mostEscaped } from './decode-escapes.ts';
import { decodeBase64, decodeHex } from './decode-runs.ts';
import { packView, type TextView, viewOf } from './text-view.ts';

interface Layered {
  view: TextView;
  /** How many more layers of escapes may be taken off, and how many of base64 or hexadecimal digits. */
  escaped: number;
  packed: number;
}

const mostPacked = 2;

/** All views together have at most so many times the units of the text: more than any two layers need. */
const mostUnits = 40;

/** The text itself, and what is read in it, by the number of layers. Only those that are still to be looked at are kept. */
export function* viewsOf(text: string): Generator<TextView> {
  const waiting: Layered[] = [{ view: viewOf(text), escaped: mostEscaped, packed: mostPacked }];
  let left = mostUnits * text.length;
  for (let layered = waiting.shift(); layered; layered = waiting.shift()) {
    yield layered.view;
    const further = left < 0 ? [] : withoutALayer(layered);
    for (const { view, ...rest } of further) {
      left -= view.units.length;
      if (left < 0) break;
      waiting.push({ view: packView(view), ...rest });
    }
  }
}

function withoutALayer({ view, escaped, packed }: Layered): Layered[] {
  const unescaped = escaped === 0 ? [] : [decodeEscapes(view), decodeLeniently(view)];
  const unpacked = packed === 0 ? [] : [decodeBase64(view), decodeHex(view)];
  return [
    ...unescaped.flatMap((decoded) => (decoded ? [{ view: decoded, escaped: escaped - 1, packed }] : [])),
    ...unpacked.flatMap((decoded) => (decoded ? [{ view: decoded, escaped, packed: packed - 1 }] : [])),
  ];
}
