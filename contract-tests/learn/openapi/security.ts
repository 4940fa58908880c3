// Who may call an operation, by what its description demands.
import { isObject, type Json } from '../../../openapi/json.ts';
import type { DescribedOperation } from '../described-operation.ts';
import { listOf } from './schema-fields.ts';

/** Undefined where nothing is said, or nothing that tells a session from an API key. `isUsual`: whether other operations say what they demand. */
export function authOf(operation: Json, root: Json, isUsual: boolean): DescribedOperation['auth'] {
  const demanded = demandedBy(operation, root, isUsual);
  const mayBeBoth = demanded === undefined || demanded === 'bearer';
  const texts = listOf([operation.summary, operation.description]).filter((text) => typeof text === 'string');
  return mayBeBoth && texts.some((text) => sessionOnly.test(text.slice(0, 2_000))) ? 'session' : demanded;
}

/** "Only with a session token", "(session only)", "API keys are refused". */
const sessionOnly =
  /\bonly (with|for|by|in) (an? |the )?(\w+ )?(session|login)|\bsession( tokens?|s)? only\b|(^|[.;:,(]\s*)api keys? (are|is) (refused|rejected|not (accepted|allowed|supported))|[仅只](限|能|支持|允许)?(使?用)?(登录|会话)|不(支持|接受|允许)(使用)?\s?(API\s?)?密钥/i;

function demandedBy(operation: Json, root: Json, isUsual: boolean): DescribedOperation['auth'] {
  const stated = operation.security ?? root.security;
  if (!Array.isArray(stated)) return isUsual ? 'none' : undefined;
  const names = new Set(stated.filter(isObject).flatMap((one) => Object.keys(one)));
  if (names.size === 0) return operation.security === undefined && !isUsual ? undefined : 'none';
  if (stated.some((one) => isObject(one) && Object.keys(one).length === 0)) return undefined;
  const schemes = [...names].map((name) => kindOf(name, schemeOf(root, name)));
  const [first] = schemes;
  if (new Set(schemes).size > 1) return schemes.includes(undefined) ? undefined : 'bearer';
  return schemes.length === 1 && hasBoth(root) ? first : undefined;
}

/** Where a description has one scheme for all calls, its name says nothing of the other kind. */
function hasBoth(root: Json): boolean {
  const kinds = Object.entries(schemesOf(root)).map(([name, scheme]) =>
    kindOf(name, isObject(scheme) ? scheme : {}),
  );
  return kinds.includes('session') && kinds.includes('api-key');
}

function schemesOf(root: Json): Json {
  const { securitySchemes } = isObject(root.components) ? root.components : {};
  const all = isObject(securitySchemes) ? securitySchemes : root.securityDefinitions;
  return isObject(all) ? all : {};
}

function schemeOf(root: Json, name: string): Json {
  const all = schemesOf(root);
  const scheme = Object.hasOwn(all, name) ? all[name] : undefined;
  return isObject(scheme) ? scheme : {};
}

/** Both are sent as Bearer; only what people call a scheme tells them apart. */
function kindOf(name: string, { type, description }: Json): 'session' | 'api-key' | undefined {
  const said = [name, ...listOf([description])].join(' ').slice(0, 500);
  if (/session|login|cookie|user.?token|access.?token|会话|登录/i.test(said)) return 'session';
  if (/api.?key|sp_|密钥/i.test(said) && type !== 'oauth2') return 'api-key';
  return undefined;
}
