// The formats of `sitepub report diff`.
import { styleText } from 'node:util';
import { visible, visibleJson } from '../core/visible-text.ts';
import type { Comparison } from './comparison.ts';
import { type DiffSection, diffHeadline, diffRuns, diffSections, sayDifference } from './diff-sections.ts';
import { code, escapeMarkdown, table } from './markdown-text.ts';

/** By the name in --format. */
export const diffFormats = {
  text: textDiff,
  markdown: markdownDiff,
  json: (comparison: Comparison) => `${visibleJson({ schema: 1, ...comparison }, 2)}\n`,
} satisfies Record<string, (comparison: Comparison, settings: { colour: boolean }) => string>;

function textDiff(comparison: Comparison, { colour }: { colour: boolean }): string {
  const difference = sayDifference(comparison);
  const lines = [
    ...diffRuns(comparison).map(([name, text]) => `${name.padEnd(6)}  ${visible(text)}`),
    ...(difference === undefined ? [] : [difference]),
    ...diffSections(comparison).flatMap((section) => ['', ...textSection(section, colour)]),
    '',
    diffHeadline(comparison),
  ];
  return `${lines.join('\n')}\n`;
}

const colours: Readonly<Record<string, 'red' | 'green' | 'cyan' | 'yellow' | 'magenta' | 'gray'>> = {
  '✗': 'red',
  '✓': 'green',
  '◐': 'cyan',
  '~': 'yellow',
  '!': 'magenta',
};

function textSection({ title, lines }: DiffSection, colour: boolean): string[] {
  const paint = (sign: string) =>
    colour ? styleText(colours[sign] ?? 'gray', sign, { validateStream: false }) : sign;
  return [
    `${title}:`,
    ...lines.flatMap(({ sign, id, title: what, detail }) => [
      `${paint(sign)} ${visible(id).padEnd(10)} ${visible(what)}`,
      `             ${visible(detail)}`,
    ]),
  ];
}

function markdownDiff(comparison: Comparison): string {
  const difference = sayDifference(comparison);
  const blocks = [
    `# ${diffHeadline(comparison)}`,
    ...diffRuns(comparison).map(([name, text]) => `${name}: ${code(text)}`),
    ...(difference === undefined ? [] : [`**${difference}**`]),
    ...diffSections(comparison).map(markdownSection),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function markdownSection({ title, lines }: DiffSection): string {
  const rows = lines.map(({ sign, id, title: what, detail }) => [`${sign} ${id}`, what, detail]);
  return `## ${escapeMarkdown(title)}\n\n${table(['id', 'what', 'change'], rows)}`;
}
