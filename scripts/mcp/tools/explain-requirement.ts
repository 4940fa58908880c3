import { didYouMean } from '../../../openapi/nearest.ts';
import { type Row, registerRows } from '../../commands/register-rows.ts';
import { UsageError } from '../../options/usage-error.ts';
import { defineTool } from '../tool.ts';

export const explainRequirement = defineTool<{ requirement: string }>({
  name: 'explain_requirement',
  title: 'Explain a requirement',
  description:
    'Explains one promise: the sentence of the interface document, how it is read (what exactly fails it, and what does not), its checks with what they need, and the faults of the mock that break it.',
  isReadOnly: true,
  input: { requirement: { type: 'string', maxLength: 40, description: 'Its id, such as HOOK-4.' } },
  required: ['requirement'],
  call: ({ requirement }) => {
    const { checks: _ids, ...found } = findRequirement(requirement);
    return { ...found, checks: rowsOf('checks', found.id), faults: rowsOf('faults', found.id) };
  },
});

/** The row of a requirement. Throws UsageError where there is none. */
export function findRequirement(id: string): Row {
  const rows = registerRows.requirements();
  const found = rows.find((row) => row.id === id.toUpperCase());
  if (found) return found;
  const hint = didYouMean(
    id,
    rows.map((row) => row.id),
    '; list_requirements lists all',
  );
  throw new UsageError(`there is no requirement "${id}"${hint}`);
}

/** The checks or faults of a requirement, without its id. */
export function rowsOf(kind: 'checks' | 'faults', requirement: string): object[] {
  return registerRows[kind]()
    .filter((row) => row.requirement === requirement)
    .map(({ requirement: _one, ...row }) => row);
}
