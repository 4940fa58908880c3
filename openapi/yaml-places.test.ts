import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gaps, readRequirements } from './registers.ts';
import { readYamlPlaces, type YamlPlace } from './yaml-places.ts';

const places = readYamlPlaces();

function textAt(place: YamlPlace | undefined): string {
  if (!place) return 'nowhere';
  const text = readFileSync(new URL(`../${place.file}`, import.meta.url), 'utf8');
  return `${place.file}: ${text.split('\n')[place.line - 1]?.trim()}`;
}

test.for([
  ['operation', 'login', 'openapi/site-publishing.yaml: operationId: login'],
  ['operation', 'publishSite', 'openapi/provisional.yaml: operationId: publishSite'],
  ['operation', 'toString', 'nowhere'],
  ['requirement', 'IDEM-1', 'openapi/provisional.yaml: x-requirement: [IDEM-1]'],
  ['requirement', 'RETRY-3', 'openapi/requirements.yaml: - id: RETRY-3'],
  ['requirementRow', 'IDEM-1', 'openapi/requirements.yaml: - id: IDEM-1'],
  ['requirement', 'NO-1', 'nowhere'],
  ['gap', 'login.status', 'openapi/site-publishing.yaml: x-gap: login.status'],
] as const)('finds the %s %s', ([kind, id, want]) => {
  expect(textAt(places[kind](id))).toBe(want);
});

test('every requirement and every gap has a place that names it', () => {
  const named = [
    ...readRequirements().map(({ id }) => [id, textAt(places.requirement(id))]),
    ...gaps.map(({ id }) => [id, textAt(places.gap(id))]),
  ];
  expect(named.filter(([id = '', text = '']) => !text.includes(id))).toEqual([]);
});

test('knows how long a line is', () => {
  const { length = 0 } = places.operation('login') ?? {};
  expect(length).toBe('      operationId: login'.length);
  expect(textAt(places.description)).toMatch(/^openapi\/site-publishing\.yaml: # The contract, /);
});
