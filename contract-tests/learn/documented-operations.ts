// The operations that the interface document shows are no gaps.
import { documentedCalls } from '../../openapi/call-clashes.ts';
import type { DescribedOperation } from './described-operation.ts';

export function isDocumented({ method, path }: Pick<DescribedOperation, 'method' | 'path'>): boolean {
  const key = `${method} ${path.replace(/\{[^{}]*\}/g, '{}').replace(/\/+$/, '')}`;
  return Object.hasOwn(documentedCalls, key);
}
