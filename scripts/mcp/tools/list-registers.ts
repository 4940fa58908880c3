// Tools that list what the project knows: promises, checks, gaps and faults.
import { gapValue, loadProfile } from '../../../openapi/profile.ts';
import { type Row, type RowKind, registerRows } from '../../commands/register-rows.ts';
import { type PageInput, pageOfRows, pageSchemas } from '../page.ts';
import { defineTool, type Tool } from '../tool.ts';

interface ListInput extends PageInput {
  text?: string;
  requirement?: string;
}

const textSchema = {
  type: 'string',
  maxLength: 200,
  description: 'Only rows with this text in their id, title, question or quote, in any case.',
};

const requirementSchema = {
  type: 'string',
  maxLength: 40,
  description: 'Only those of a requirement, such as HOOK-4, or of a group, such as HOOK.',
};

interface Listing {
  kind: RowKind;
  noun: string;
  description: string;
  hasRequirement: boolean;
  show?(row: Row, profile: string | undefined): object;
}

const listings: readonly Listing[] = [
  {
    kind: 'requirements',
    noun: 'requirements',
    description:
      'Lists the promises of the interface document: id, section, title, the sentence that promises it (quote), and the checks that verify it.',
    hasRequirement: true,
    show: ({ id, section, level, title, quote, checks, target, excluded }) => ({
      ...{ id, section, level, title, quote, checks, target, excluded },
    }),
  },
  {
    kind: 'checks',
    noun: 'checks',
    description:
      'Lists the checks of the suite: id, the requirement that each verifies, and what it needs to run.',
    hasRequirement: true,
  },
  {
    kind: 'gaps',
    noun: 'gaps',
    description:
      'Lists what the interface document leaves open: id, section, question, the default, and what the profile of this server says. A gap never fails a deployment.',
    hasRequirement: false,
    show: ({ id, section, kind, question, default: usual }, profile) => ({
      ...{ id, section, kind, question, default: usual },
      ...(profile !== undefined && { in_profile: gapValue(loadProfile(profile), id) }),
    }),
  },
  {
    kind: 'faults',
    noun: 'faults',
    description:
      'Lists what a mock can be told to do wrong: id, title, and the one requirement that each fault breaks.',
    hasRequirement: true,
  },
];

export const registerTools: readonly Tool[] = listings.map(
  ({ kind, noun, description, hasRequirement, show }) =>
    defineTool<ListInput>({
      name: `list_${noun}`,
      title: `List ${noun}`,
      description,
      isReadOnly: true,
      input: { text: textSchema, ...(hasRequirement && { requirement: requirementSchema }), ...pageSchemas },
      call: (input, { session }) => {
        const found = registerRows[kind]().filter((row) => isWanted(row, input));
        const { rows, ...page } = pageOfRows(found, input);
        return { [noun]: rows.map((row) => show?.(row, session.given.text('profile')) ?? row), ...page };
      },
    }),
);

function isWanted(row: Row, { text, requirement }: ListInput): boolean {
  const id = String(row.requirement ?? row.id);
  const wanted = requirement?.toUpperCase();
  const isOf = wanted === undefined || id === wanted || id.startsWith(`${wanted}-`);
  const words = [row.id, row.title, row.question, row.quote].join('\n').toLowerCase();
  return isOf && (text === undefined || words.includes(text.toLowerCase()));
}
