import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, test } from 'vitest';
import { isObject } from '../../../openapi/json.ts';
import { operationsOf } from '../../../openapi/operations.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { type DescribedDeployment, describeDeployment, styleNames } from './describe-deployment.ts';

const profileNames = [
  'default',
  'always-200-camel-case',
  'nested-201-uuid',
  'flags-and-cursors',
  'documented-only',
];

for (const style of styleNames) {
  test(`describes the packaged profiles in the style ${style}, validly and as they are`, async () => {
    for (const [seed, name] of profileNames.entries()) {
      const described = describeDeployment({ profile: loadProfile(name), style, seed });
      const text = JSON.stringify(described.description);
      const again = describeDeployment({ profile: loadProfile(name), style, seed });
      expect(JSON.stringify(again.description)).toBe(text);
      expect(text).not.toMatch(/x-(gap|requirement|value|template|operations?|also|signs)"/);
      expect(missingCalls(described)).toEqual([]);
      await SwaggerParser.validate(JSON.parse(text));
    }
  });
}

/** The stated calls that a description does not have. */
function missingCalls({ description, profile }: DescribedDeployment): string[] {
  const { paths } = description;
  const offered = Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
    Object.keys(isObject(item) ? item : {}).map((method) => keyOf(method, path)),
  );
  const prefix = typeof description.basePath === 'string' ? description.basePath : '';
  const stated = operationsOf(resolve(profile)).map(({ method, path }) => keyOf(method, path));
  return stated.filter(
    (key) =>
      !offered.some((one) => one === key || one === key.replace(' ', ' /api/v1') || prefix + one === key),
  );
}

function keyOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`;
}
