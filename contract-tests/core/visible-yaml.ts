import { type CreateNodeOptions, Document, type DocumentOptions, type ToStringOptions, visit } from 'yaml';
import { visibleLines } from './visible-text.ts';

type Options = DocumentOptions & CreateNodeOptions & ToStringOptions;

/** YAML that is safe to print and parses to the same value: escapes invisible characters and CI commands in double quotes. */
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
  // Without folding, no line begins in the middle of a text.
  return visibleLines(document.toString({ ...options, lineWidth: 0 }));
}
