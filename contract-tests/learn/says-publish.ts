// Whether versions are those of publishes: drafts have versions, too.
import type { DescribedOperation } from './described-operation.ts';
import { findByName } from './find-named.ts';
import { namesOfReads } from './names-of-values.ts';

/** A doubt that the calls of a recording may dispel. */
export const unsaidVersions = 'nothing says that its versions are those of publishes';

/** By what it is called, or, where nobody has seen a call, by what it answers: of a publish one reads how it went. */
export function saysPublish({ path, id = '', texts, tags, answers, seen }: DescribedOperation): boolean {
  const isSaid = [path, id, ...texts, ...tags].some((text) =>
    /publi(sh|cation)(?!-request)|release|deploy|go-?_?live|fabu|shangxian|发布|上线/i.test(text),
  );
  if (isSaid || seen) return isSaid;
  const fields = answers.flatMap(({ body = [] }) => body);
  return findByName(fields, [...(namesOfReads.state ?? []), 'published at']).length > 0;
}
