// Whether versions are those of publishes: drafts have versions, too.
import { answerFields, type DescribedOperation, wordingOf } from '../described-operation.ts';
import { findByName } from '../words/find-named.ts';
import { namesOfReads } from '../words/names-of-values.ts';

/** A doubt that the calls of a recording may dispel. */
export const unsaidVersions = 'nothing says that its versions are those of publishes';

/** By what it is called, or, where nobody has seen a call, by what it answers: of a publish one reads how it went. */
export function saysPublish(operation: DescribedOperation): boolean {
  const isSaid = wordingOf(operation).some((text) =>
    /publi(sh|cation)(?!-request)|release|deploy|go-?_?live|fabu|shangxian|发布|上线/i.test(text),
  );
  if (isSaid || operation.seen) return isSaid;
  const fields = answerFields(operation);
  return findByName(fields, [...(namesOfReads.state ?? []), 'published at']).length > 0;
}
