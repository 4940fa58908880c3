import type { DescribedOperation } from '../described-operation.ts';

/** A recording for people, a line for each operation: method, path, status, and how often. It holds no secrets, nor anything that people typed. */
export function digestOfRecording(operations: readonly DescribedOperation[]): string[] {
  return operations.map(({ method, path, answers, seen }) => {
    const statuses = answers.map(({ status }) => status).sort((one, other) => one - other);
    const times = seen && seen.count > 1 ? `, ${seen.count} times` : '';
    return `${method.padEnd(6)} ${path}  ${statuses.join(', ')}${times}`;
  });
}
