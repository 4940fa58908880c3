// All styles by their names.
import type { Style } from '../style.ts';
import { apifox } from './apifox.ts';
import { drfSpectacular } from './drf-spectacular.ts';
import { drfYasg } from './drf-yasg.ts';
import { fastapi } from './fastapi.ts';
import { goSwaggo } from './go-swaggo.ts';
import { laravelScribe } from './laravel-scribe.ts';
import { nestjs } from './nestjs.ts';
import { openapiClean } from './openapi-clean.ts';
import { springdoc } from './springdoc.ts';
import { springfox } from './springfox.ts';

export const styles = {
  'openapi-clean': openapiClean,
  nestjs,
  springdoc,
  springfox,
  'drf-spectacular': drfSpectacular,
  'drf-yasg': drfYasg,
  fastapi,
  'laravel-scribe': laravelScribe,
  'go-swaggo': goSwaggo,
  apifox,
} satisfies Record<string, Style>;
