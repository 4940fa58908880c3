import { verdictsByGravity } from '../../contract-tests/reports/group-by-verdict.ts';
import { gapValue, loadProfile } from '../../openapi/profile.ts';
import { explainId, type Row, type RowKind, registerRows } from '../commands/registers.ts';
import { digestOf, failureIn, reportOf, resultsOf } from './run-report.ts';
import { limitOf, oneOf, type PageInput, pageMembers, type Session, type Tool, text } from './tool.ts';

const report = text(
  'Path of a JSON report (`sitepub test --report json=FILE`) in the working directory. Default: the report of the last run of this server.',
);

type What = RowKind | 'results';

interface ListInput extends PageInput {
  what: What;
  text?: string;
  requirement?: string;
  outcome?: string;
  report?: string;
}

const lists: Readonly<Record<What, (session: Session, input: ListInput) => Row[]>> = {
  ...registerRows,
  requirements: () => registerRows.requirements().map(({ reading: _text, needs: _names, ...row }) => row),
  gaps: (session) => {
    const profile = profileOf(session);
    return registerRows.gaps().map(({ id, section, kind, question, default: usual }) => {
      return { id, section, kind, question, default: usual, in_profile: gapValue(profile, id) };
    });
  },
  results: (session, input) => resultsOf(reportOf(session, input.report), input.outcome),
};

export const list: Tool = {
  name: 'list',
  description:
    'Lists requirements (promises of the interface document, each with its sentence), checks of the suite, gaps (questions that the document leaves open; a gap never fails a deployment), faults that a mock can have, packaged profiles, or the results of a report: headline, counts, drift, remarks, leftovers, what was missing, and all requirements with their outcomes, the worst first.',
  needs: { what: oneOf(Object.keys(lists), 'What to list.') },
  takes: {
    text: text('Only rows that contain this text; upper and lower case are the same.'),
    requirement: text('Only rows of this requirement, such as HOOK-4, or of this group, such as HOOK.'),
    outcome: oneOf(verdictsByGravity, 'With results: only requirements with this outcome.'),
    report,
    ...pageMembers,
  },
  call: (input: ListInput, { session }) => {
    const rows = lists[input.what](session, input).filter((row) => isWanted(row, input));
    const from = input.cursor ?? 0;
    const next = from + limitOf(input);
    return {
      ...(input.what === 'results' && digestOf(reportOf(session, input.report))),
      [input.what]: rows.slice(from, next),
      total: rows.length,
      ...(next < rows.length && { next }),
    };
  },
};

function isWanted(row: Row, { text: wanted = '', requirement }: ListInput): boolean {
  const isOf = requirement === undefined || `${idOf(row)}-`.startsWith(`${requirement.toUpperCase()}-`);
  return isOf && JSON.stringify(row).toLowerCase().includes(wanted.toLowerCase());
}

function idOf({ id, requirement = id }: Row): string {
  return String(requirement);
}

function profileOf({ given }: Session) {
  return loadProfile(given.text('profile') ?? 'default');
}

export const explain: Tool = {
  name: 'explain',
  description:
    'Explains a requirement (its sentence, reading, checks and faults), a check, a gap (question, default, value in the profile) or a fault. After a run of this server, or with report, it also shows the result. For a failed requirement: what was expected, what came, the call, a curl line, the trace_id (which requests accepts), and what the failure means for users of the service.',
  needs: { id: text('An id from list, such as HOOK-4.') },
  takes: { report },
  call: ({ id, report: path }: { id: string; report?: string }, { session }) => {
    const explained = explainId(id, profileOf(session));
    if (path === undefined && !session.lastReport) return explained;
    const found = reportOf(session, path);
    const observed = found.gaps.find((gap) => gap.id === explained.id);
    return { ...explained, result: observed ?? failureIn(found, idOf(explained)) };
  },
};
