// @module-tag nightly
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, test } from 'vitest';
import { operationsOf } from '../../../openapi/operations.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { describeDeployment, type StyleName, styleNames } from './describe-deployment.ts';
import { callsIn, findOmissions } from './inspect-description.ts';
import { judgeLearning } from './judge-learning.ts';

const profileNames = [
  'default',
  'always-200-camel-case',
  'nested-201-uuid',
  'flags-and-cursors',
  'documented-only',
];

/** Names that only this framework gives; each is in one of the descriptions at least. */
const marks: Readonly<Record<StyleName, readonly RegExp[]>> = {
  'openapi-clean': [/"openapi":"3\.1\.0"/, /"operationId":"createSite"/, /"sessionToken"/, /"oneOf"/],
  nestjs: [/"SitesController_create"/, /"SitesController_findAll"/, /"CreateSiteDto"/, /"servers":\[\]/],
  springdoc: [/"operationId":"create_1"/, /"site-controller"/, /"\*\/\*"/, /SiteCreateResultVO"/, /"int64"/],
  springfox: [/"swagger":"2\.0"/, /"createUsingPOST_1"/, /«SitePageVO»"/, /"basePath":"\/api\/v1"/],
  'drf-spectacular': [
    /"tenant_sites_(retrieve|create)"/,
    /"PaginatedSiteList"/,
    /"StatusEnum"/,
    /"multipart\/form-data"/,
  ],
  'drf-yasg': [
    /"tenant_sites_read"/,
    /"name":"data","description":"data"/,
    /"title":"Site id"|"title":"站点ID"/,
  ],
  fastapi: [
    /"create_site(_api_v1)?_tenant_sites_post"/,
    /"HTTPValidationError"/,
    /"title":"Create Site"|"Create Site"/,
  ],
  'laravel-scribe': [/"security":\[\{"default":\[\]\}\]/, /"nullable":false/, /"example":\{"code":0/],
  'go-swaggo': [/"handler\.CreateSiteReq"/, /"#\/definitions\/response\.Response"/, /"ApiKeyAuth"/],
  apifox: [/"x-apifox-orders"/, /"x-apifox-folder":"站点管理"/, /\/zuhu\/zhandian/, /"deprecated":false/],
};

describe('describes the packaged profiles in the style', () => {
  for (const [index, style] of styleNames.entries())
    test(style, async () => {
      const texts = profileNames.map((name, seed) => {
        const profile = loadProfile(name);
        const described = describeDeployment({ profile, style, seed });
        const text = JSON.stringify(described.description);
        if (seed === index % 5)
          expect(JSON.stringify(describeDeployment({ profile, style, seed }).description)).toBe(text);
        expect(text.match(/"x-(?!apifox-|run-in-apifox)[^"]*"/g) ?? []).toEqual([]);
        const own = operationsOf(resolve(described.profile));
        const calls = callsIn(described);
        expect(new Set(calls).size).toBe(calls.length);
        expect(calls.length).toBeGreaterThanOrEqual(15);
        expect(calls.length).toBeLessThanOrEqual(own.length + 60);
        return text;
      });
      for (const mark of marks[style])
        expect(
          texts.some((text) => mark.test(text)),
          String(mark),
        ).toBe(true);
      const profile = loadProfile(profileNames[index % 4] ?? 'default');
      const described = describeDeployment({ profile, style, seed: index });
      expect(await findOmissions(described)).toEqual([]);
      await SwaggerParser.validate(structuredClone(described.description) as never);
    });
});

test('another seed gives another description', () => {
  const texts = [1, 2].map((seed) =>
    JSON.stringify(
      describeDeployment({ profile: loadProfile('default'), style: 'nestjs', seed }).description,
    ),
  );
  expect(texts[0]).not.toBe(texts[1]);
});

test('what a profile states is judged right, in every style', () => {
  for (const style of styleNames)
    for (const [seed, name] of profileNames.entries()) {
      const { expected } = describeDeployment({ profile: loadProfile(name), style, seed });
      const learnt = Object.entries(expected).map(
        ([gap, { value }]) => [gap, { value, isCertain: true }] as const,
      );
      const { operations, documented, values } = judgeLearning(Object.fromEntries(learnt), expected);
      const offered = values.filter(
        ({ gap, verdict }) => gap.startsWith('operation.') && verdict !== 'not-offered',
      );
      expect(operations).toEqual({ right: offered.length, doubtful: 0, missing: 0, wrongCertain: 0 });
      expect(documented).toMatchObject({ doubtful: 0, missing: 0, wrongCertain: 0 });
      expect(values.flatMap(({ notes }) => notes)).toEqual([]);
    }
});
