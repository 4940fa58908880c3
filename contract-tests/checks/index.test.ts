import { expect, test } from 'vitest';
import { readRequirements } from '../../openapi/registers.ts';
import { checks } from './index.ts';

test('gives each check a unique id that starts with its requirement', () => {
  const ids = checks.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(checks.filter(({ id, requirement }) => !id.startsWith(`${requirement.toLowerCase()}-`))).toEqual([]);
  expect(ids.filter((id) => !/^[a-z]+-\d+(-[a-z0-9]+)+$/.test(id))).toEqual([]);
});

test('has a check or a reason for each requirement', () => {
  const checked = new Set(checks.map(({ requirement }) => requirement));
  const without = readRequirements().filter(({ id }) => !checked.has(id));
  expect(without.filter(({ excluded = '' }) => excluded.length < 20).map(({ id }) => id)).toEqual([]);
  expect(without.map(({ id }) => id)).toEqual(['RECV-1', 'RECV-2']);
});

test('checks only requirements of deployments', () => {
  const known = readRequirements().filter(({ target }) => target !== 'receiver');
  const ids = known.map(({ id }) => id);
  expect(checks.filter(({ requirement }) => !ids.includes(requirement))).toEqual([]);
});

test('runs the checks that read all answers last', () => {
  const first = checks.findIndex(({ requirement }) => requirement.startsWith('ENV-'));
  expect(checks.slice(first).filter(({ requirement }) => !requirement.startsWith('ENV-'))).toEqual([]);
});
