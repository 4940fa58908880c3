import type { Json } from './json.ts';

/** An OpenAPI description as plain JSON. */
export interface Description extends Json {
  paths: Record<string, Json>;
  webhooks: Record<string, Json>;
  components: {
    schemas: Record<string, Json>;
    parameters: Record<string, Json>;
    responses: Record<string, Json>;
  } & Json;
}
