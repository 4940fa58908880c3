// Follows the references of a description, within it and into other files.
import querystring from 'node:querystring';
import { isObject, type Json } from '../../../openapi/json.ts';
import { getAt } from '../../../openapi/json-pointer.ts';
import type { Follow } from '../fields.ts';

/** A description and the files that it refers to, by address; the description itself also by "". */
type Documents = ReadonlyMap<string, Json>;

const longestChain = 50;

/** What is returned gives undefined for a reference that leads nowhere, or in a circle. */
export function followIn(documents: Documents): Follow {
  return (node) => {
    let current = node;
    for (let steps = 0; isObject(current) && steps < longestChain; steps += 1) {
      const reference = referenceOf(current);
      if (reference === undefined) return current;
      const { $ref: _, ...beside } = current;
      const target = findIn(documents, reference);
      // From OpenAPI 3.1 on, a description beside a reference counts.
      current = isObject(target) && Object.keys(beside).length > 0 ? { ...target, ...beside } : target;
    }
    return undefined;
  };
}

/** A property with the name $ref has a schema as its value. */
function referenceOf(node: Json): string | undefined {
  return Object.hasOwn(node, '$ref') && typeof node.$ref === 'string' ? node.$ref : undefined;
}

function findIn(documents: Documents, reference: string): unknown {
  const [, address = '', pointer = ''] = /^([^#]*)#?(.*)$/s.exec(reference) ?? [];
  const document = documents.get(address);
  return getAt(document, pointer) ?? getAt(document, querystring.unescape(pointer));
}

/** Loads the files that a description refers to, and makes its references absolute. Throws what `load` throws. */
export async function loadDocuments(
  root: Json,
  address: string,
  load: (address: string) => Promise<Json>,
): Promise<Documents> {
  const documents = new Map([[address, root]]);
  // The loop also reaches the files that it adds.
  for (const [base, document] of documents)
    for (const node of objectsIn(document)) {
      const target = URL.parse(referenceOf(node) ?? '', base);
      if (referenceOf(node) === undefined || !target) continue;
      node.$ref = target.href;
      target.hash = '';
      if (!documents.has(target.href)) documents.set(target.href, await load(target.href));
    }
  return documents.set('', root);
}

/** Without what extensions hold: code samples refer to files that are no descriptions. */
function objectsIn(document: Json): Set<Json> {
  const found = new Set<Json>();
  // The loop also reaches what it adds, each part once.
  const parts = new Set<unknown>([document]);
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue;
    if (isObject(part)) found.add(part);
    for (const [name, one] of Object.entries(part)) if (!name.startsWith('x-')) parts.add(one);
  }
  return found;
}
