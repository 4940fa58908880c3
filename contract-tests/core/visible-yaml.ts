import { type CreateNodeOptions, Document, type DocumentOptions, type ToStringOptions, visit } from 'yaml';
import { visibleLines } from './visible-text.ts';

type Options = DocumentOptions & CreateNodeOptions & ToStringOptions;

/** A value as YAML that is safe to print and reads as the same value: what nobody sees, or a log obeys, is escaped between double quotes. */
export function visibleYaml(value: unknown, options: Options = {}): string {
  const document = new Document(value, { aliasDuplicateObjects: false, ...options });
  const text = document.toString(options);
  if (visibleLines(text) === text) return text;
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string' && visibleLines(node.value) !== node.value)
        node.type = 'QUOTE_DOUBLE';
    },
  });
  // Where nothing is folded, no line begins in the middle of a text.
  return visibleLines(document.toString({ ...options, lineWidth: 0 }));
}
