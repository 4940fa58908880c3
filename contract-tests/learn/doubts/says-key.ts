// Whether keys are those of the API: texts for translation have keys, too, and so have devices and other services.
import { answerFields, type DescribedOperation, nameOf, wordingOf } from '../described-operation.ts';
import { withTheirCollections } from './say-of-collection.ts';

/** Those of the operations on keys which something says are of the API: they themselves, or others below the same path. */
export function findApiKeys(operations: readonly DescribedOperation[]): ReadonlySet<DescribedOperation> {
  const found = withTheirCollections(operations, { nouns: ['key', 'token'], says: saysApiKey });
  return new Set(found.filter((one) => !saysOtherKey(one)));
}

const apiKey = /(api|access|app|open|secret|developer)[-_ ]?(key|token|令牌)|密钥|秘钥|miyao/i;

function saysApiKey(operation: DescribedOperation): boolean {
  if (wordingOf(operation).some((text) => apiKey.test(text))) return true;
  return answerFields(operation).some(
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
