// The tools `list` and `explain`: what the registers and a report say.
import { verdictsByGravity } from '../../contract-tests/reports/group-by-verdict.ts';
import { gapValue, loadProfile } from '../../openapi/profile.ts';
import { explainId } from '../commands/explain-id.ts';
import { type Row, type RowKind, registerRows } from '../commands/register-rows.ts';
import { digestOf, failureIn, reportOf, resultsOf } from './run-report.ts';
import type { Session } from './session.ts';
import { limitOf, oneOf, type PageInput, pageMembers, type Tool, text } from './tool.ts';

const report = text(
  'A JSON report of `sitepub test --report json=FILE` in the working directory. Default: that of the last run of this server.',
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
    'Lists the requirements (what the interface document promises, with the sentence), the checks of the suite, the gaps (what the document leaves open; a gap never fails a deployment), the faults that a mock can be told, the packaged profiles, or the results of a report: its headline, counts, drift, remarks and leftovers, what was missing, and the requirements with their outcomes, the worst first.',
  needs: { what: oneOf(Object.keys(lists), 'What is listed.') },
  takes: {
    text: text('Only rows with this text, in any case.'),
    requirement: text('Only those of a requirement, such as HOOK-4, or of a group, such as HOOK.'),
    outcome: oneOf(verdictsByGravity, 'Of results: only requirements with this outcome.'),
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

/** The id of the requirement that a row is about. */
function idOf({ id, requirement = id }: Row): string {
  return String(requirement);
}

function profileOf({ given }: Session) {
  return loadProfile(given.text('profile') ?? 'default');
}

export const explain: Tool = {
  name: 'explain',
  description:
    'Explains a requirement (the sentence, how it is read, its checks and faults), a check, a gap (question, default, value in the profile) or a fault. Where this server has made a run, or a report is given, also what came of it: of a requirement that failed, what was expected and what came, the call, a curl line, the trace_id (by which requests finds the call in the journal of the mock), and what it means for those who use the service.',
  needs: { id: text('Such as HOOK-4, or an id that list gives.') },
  takes: { report },
  call: ({ id, report: path }: { id: string; report?: string }, { session }) => {
    const explained = explainId(id, profileOf(session));
    if (path === undefined && !session.lastReport) return explained;
    const found = reportOf(session, path);
    const observed = found.gaps.find((gap) => gap.id === explained.id);
    return { ...explained, result: observed ?? failureIn(found, idOf(explained)) };
  },
};
