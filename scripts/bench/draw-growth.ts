// A drawing of how costs grow, as SVG: both axes are logarithmic, so that what is in proportion to the size rises as steeply as the dotted line.
import type { Curve } from './row.ts';

const [width, height] = [720, 400];
const frame = { left: 64, right: 700, top: 20, bottom: 320 };
/** Told apart by the colour-blind, on white and on black. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];

export function drawGrowth(curves: readonly Curve[]): string {
  const points = curves.flatMap(({ points: all }) => all);
  if (points.length === 0)
    throw new Error('no row was measured that shows growth, so there is nothing to draw');
  const scales: Scales = {
    x: scaleOf(
      points.map(({ size }) => size),
      [frame.left, frame.right],
    ),
    y: scaleOf(
      points.map(({ micros }) => micros),
      [frame.bottom, frame.top],
    ),
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="CPU time by the size of the world">`,
    '<style>text{font:12px sans-serif;fill:#666}.axis{stroke:#999;stroke-width:.5}</style>',
    ...axes(scales),
    proportion(scales),
    ...curves.flatMap((curve, index) => draw(curve, index, scales)),
    '</svg>\n',
  ].join('\n');
}

/** The curve that rises most, of those that a row has measured. */
export function steepest(curves: readonly Curve[]): Curve[] {
  const rise = ({ points }: Curve) => (points.at(-1)?.micros ?? 0) / (points[0]?.micros ?? Number.NaN);
  return curves.toSorted((one, other) => rise(other) - rise(one)).slice(0, 1);
}

interface Scale {
  /** Powers of ten. */
  from: number;
  to: number;
  place(value: number): number;
}

interface Scales {
  x: Scale;
  y: Scale;
}

/** From one power of ten to another. */
function scaleOf(values: readonly number[], [start, end]: readonly [number, number]): Scale {
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values))));
  return { from, to, place: (value) => start + ((Math.log10(value) - from) / (to - from)) * (end - start) };
}

function axes({ x, y }: Scales): string[] {
  const { left, right, top, bottom } = frame;
  const across = powersOf(y).flatMap((power) => [
    line([left, y.place(power)], [right, y.place(power)], 'class="axis"'),
    label([left - 6, y.place(power) + 4], `${power.toLocaleString('en')} µs`, 'text-anchor="end"'),
  ]);
  const upright = powersOf(x).flatMap((power) => [
    line([x.place(power), top], [x.place(power), bottom], 'class="axis"'),
    label([x.place(power), bottom + 16], power.toLocaleString('en'), 'text-anchor="middle"'),
  ]);
  return [...across, ...upright];
}

function powersOf({ from, to }: Scale): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
}

/** What doubles with the size. */
function proportion({ x, y }: Scales): string {
  const decades = Math.min(x.to - x.from, y.to - y.from);
  const to: Place = [x.place(10 ** (x.from + decades)), y.place(10 ** (y.from + decades))];
  return line([x.place(10 ** x.from), y.place(10 ** y.from)], to, 'stroke="#999" stroke-dasharray="2 4"');
}

function draw({ name, points }: Curve, index: number, { x, y }: Scales): string[] {
  const colour = colours[index % colours.length];
  const places = points.map(({ size, micros }): Place => [x.place(size), y.place(micros)]);
  const path = places.map((place) => place.map(rounded).join(',')).join(' ');
  const row = frame.bottom + 40 + 16 * index;
  return [
    `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...places.map(
      ([at, height]) => `<circle cx="${rounded(at)}" cy="${rounded(height)}" r="3" fill="${colour}"/>`,
    ),
    line([frame.left, row - 4], [frame.left + 20, row - 4], `stroke="${colour}" stroke-width="2"`),
    label([frame.left + 28, row], name, ''),
  ];
}

type Place = readonly [number, number];

function line([x1, y1]: Place, [x2, y2]: Place, look: string): string {
  return `<line x1="${rounded(x1)}" y1="${rounded(y1)}" x2="${rounded(x2)}" y2="${rounded(y2)}" ${look}/>`;
}

function label([x, y]: Place, text: string, look: string): string {
  return `<text x="${rounded(x)}" y="${rounded(y)}" ${look}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
