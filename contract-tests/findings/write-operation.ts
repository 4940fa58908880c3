// The lines of a profile about one operation: its value in one line, what may be it as comments, or what would show it.
import { isObject } from '../../openapi/json.ts';
import { writeJson } from '../core/parse-json.ts';
import { visibleYaml } from '../core/visible-yaml.ts';

/** The value of an operation as YAML, in one line. */
export function operationEntry(id: string, value: unknown): string {
  return `${id}: ${flow(value)}`;
}

/** The same, with what it was read from behind the key. */
export function explainedEntry(id: string, value: unknown, evidence: string): string[] {
  return isObject(value)
    ? [`${id}:  # ${evidence}`, `  ${flow(value)}`]
    : [`${operationEntry(id, value)}  # ${evidence}`];
}

function flow(value: unknown): string {
  return visibleYaml(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}

/** How people name the value of an operation: "POST /tenant/sites". */
export function sayCall(value: unknown): string {
  if (!isObject(value)) return typeof value === 'string' ? value : writeJson(value);
  const { method, path, by } = value;
  return by === undefined ? `${String(method)} ${String(path)}` : `with ${String(by)}`;
}
