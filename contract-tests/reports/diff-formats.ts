// The formats of `sitepub diff`.
import { styleText } from 'node:util';
import { visible, visibleJson } from '../../openapi/visible-text.ts';
import type { Comparison } from './comparison.ts';
import { type DiffSection, diffHeadline, diffRuns, diffSections, sayDifference } from './diff-sections.ts';
import { type DiffWords, overTime } from './diff-words.ts';
import { code, escapeMarkdown, table } from './markdown-text.ts';

interface Settings {
  colour: boolean;
  /** What the two runs are to one another; two times unless given. */
  words?: DiffWords;
}

/** Each format by its name in --format. */
export const diffFormats = {
  text: textDiff,
  markdown: markdownDiff,
  json: (comparison: Comparison) => `${visibleJson({ schema: 1, ...comparison }, 2)}\n`,
} satisfies Record<string, (comparison: Comparison, settings: Settings) => string>;

/** What both runs are about is said where it is not the point of the comparison. */
function differenceOf(comparison: Comparison, words: DiffWords): string[] {
  const difference = words === overTime ? sayDifference(comparison) : undefined;
  return difference === undefined ? [] : [difference];
}

function textDiff(comparison: Comparison, { colour, words = overTime }: Settings): string {
  const lines = [
    ...diffRuns(comparison, words).map(([name, text]) => `${name.padEnd(6)}  ${visible(text)}`),
    ...differenceOf(comparison, words),
    ...diffSections(comparison, words).flatMap((section) => ['', ...textSection(section, colour)]),
    '',
    diffHeadline(comparison, words),
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
  return `${markdownDiffBlocks(comparison).join('\n\n')}\n`;
}

/** The comparison in blocks of Markdown, the most important first; each can be left out. */
export function markdownDiffBlocks(comparison: Comparison, words: DiffWords = overTime): string[] {
  return [
    `# ${diffHeadline(comparison, words)}`,
    ...diffRuns(comparison, words).map(([name, text]) => `${name}: ${code(text)}`),
    ...differenceOf(comparison, words).map((difference) => `**${difference}**`),
    ...diffSections(comparison, words).map(markdownSection),
  ];
}

function markdownSection({ title, lines }: DiffSection): string {
  const rows = lines.map(({ sign, id, title: what, detail }) => [`${sign} ${id}`, what, detail]);
  return `## ${escapeMarkdown(title)}\n\n${table(['id', 'what', 'change'], rows)}`;
}
