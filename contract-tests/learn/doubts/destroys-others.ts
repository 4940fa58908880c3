// Whether a call that creates or changes one thing destroys others along with it, as its texts say: "Create an API key and revoke all others".
import type { DescribedOperation } from '../described-operation.ts';
import type { Verb } from '../words/vocabulary.ts';

/** In a summary, which says what a call does. */
const destroying =
  /\b(delet|revok|remov|destroy|eras|invalidat|reissu|recreat|roll(s|ing)?\b|overwrit)\w*|删除|吊销|失效|覆盖|更换|替换|旧/i;
/** What is published or changed takes the place of what was there. */
const replacing = /\breplac\w*/i;
/** In a description, where such words may say what can be done later. */
const destroyingOthers =
  /\b(?:all|any|other|previous|existing|old|older|current)\b[^.;]{0,40}\b(?:is|are|be|get|gets)\b[^.;]{0,12}\b(?:revoked|deleted|removed|overwritten|replaced|invalidated)|\b(?:revok|delet|overwrit|invalidat)\w* (?:all|any|the) (?:other|previous|existing|old|current)/i;

/** The word that says so; undefined where none does. */
export function findDestruction({ id = '', texts }: DescribedOperation, verb: Verb): string | undefined {
  if (verb === 'delete' || verb === 'list' || verb === 'get') return undefined;
  const [summary = '', description = ''] = texts.map((text) => text.slice(0, 400));
  const name = id.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_.-]/g, ' ');
  const replaces = verb === 'create' || verb === 'import' ? replacing.exec(summary)?.[0] : undefined;
  return (
    destroying.exec(summary.slice(0, 200))?.[0] ??
    replaces ??
    destroying.exec(name)?.[0] ??
    destroyingOthers.exec(description)?.[0]
  );
}
