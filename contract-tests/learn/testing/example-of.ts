// A value as an answer would have it.
import type { ApiValue } from './api-model.ts';

export function exampleOf(value: ApiValue): unknown {
  const { type, constant, example, values, properties, items, format } = value;
  if (constant) return constant.value;
  if (type === 'object' && properties)
    return Object.fromEntries(properties.map((one) => [one.name, exampleOf(one.value)]));
  if (example !== undefined) return example;
  if (values) return values[0];
  if (type === 'array') return items ? [exampleOf(items)] : [];
  if (format === 'date-time') return '2026-01-02T03:04:05+08:00';
  return samples[type] ?? null;
}

const samples: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 1.5,
  boolean: true,
  object: {},
};
