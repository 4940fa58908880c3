// What an answer gave, and no request can carry.
import { validateHeaderValue } from 'node:http';
import type { Operation } from '../../openapi/operations.ts';
import { placeholdersOf } from '../../openapi/template.ts';
import { NotVerified } from '../core/outcomes.ts';
import { isPathPart } from '../core/read-values.ts';
import { longestToken } from '../redaction/redact.ts';

/** Throws NotVerified where a value would make the path another one, or no header can carry the token. */
export function requireFit(
  { id, path }: Pick<Operation, 'id' | 'path'>,
  values: Readonly<Record<string, unknown>>,
  token?: string | null,
): void {
  const unfit = placeholdersOf(path).find((name) => values[name] !== undefined && !isPathPart(values[name]));
  if (unfit !== undefined)
    throw new NotVerified(`the {${unfit}} to call ${id} with would lead to another path`);
  if (token && !isHeaderText(token))
    throw new NotVerified(`the token to call ${id} with has a character that no header may have`);
  if (token && token.length > longestToken)
    throw new NotVerified(
      `the token to call ${id} with has ${token.length} characters, more than a header can carry`,
    );
}

function isHeaderText(text: string): boolean {
  try {
    validateHeaderValue('Authorization', text);
    return true;
  } catch {
    return false;
  }
}
