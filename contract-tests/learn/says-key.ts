// Whether keys are those of the API: texts for translation have keys, too, and so have devices and other services.
import { type DescribedOperation, nameOf } from './described-operation.ts';
import { wordsOf } from './words.ts';

/** Those of the operations on keys which something says are of the API: they themselves, or others below the same path. */
export function findApiKeys(operations: readonly DescribedOperation[]): ReadonlySet<DescribedOperation> {
  const byPath = Map.groupBy(operations, ({ path }) => collectionIn(path));
  const groups = [...byPath].filter(([path, all]) => path !== undefined && all.some(saysApiKey));
  const found = [...operations.filter(saysApiKey), ...groups.flatMap(([, all]) => all)];
  return new Set(found.filter((one) => !saysOtherKey(one)));
}

/** The path up to the keys in it. */
function collectionIn(path: string): string | undefined {
  const segments = path.replace(/\{[^{}]*\}/g, '{}').split('/');
  const last = segments.findLastIndex((segment) =>
    wordsOf(segment).some(({ concept }) => concept === 'key' || concept === 'token'),
  );
  return last < 0 ? undefined : segments.slice(0, last + 1).join('/');
}

const apiKey = /(api|access|app|open|secret|developer)[-_ ]?(key|token|令牌)|密钥|秘钥|miyao/i;

function saysApiKey({ path, id = '', texts, tags, answers }: DescribedOperation): boolean {
  if ([path, id, ...texts, ...tags].some((text) => apiKey.test(text))) return true;
  const fields = answers.flatMap(({ body = [] }) => body);
  return fields.some(
    (field) =>
      apiKey.test(nameOf(field)) ||
      field.format === 'api-key' ||
      field.values.some((value) => /^sp_/.test(String(value))),
  );
}

/** "public-keys", "Keys of another service". */
function saysOtherKey({ path, texts, tags }: DescribedOperation): boolean {
  const isOther = /(public|push|ssh|deploy|sort|translation|licen[cs]e|encryption|signing)[-_ ]?keys?\b/i;
  return [path, ...texts, ...tags].some(
    (text) => isOther.test(text) || /third[- ]party|other services?\b|another service/i.test(text),
  );
}
