// Whether a method and path tell what an operation does, so that developers may leave its summary out.
import { placeholdersOf } from '../../../openapi/template.ts';

interface Call {
  method: string;
  path: string;
  resource: string;
  action: string;
}

export function isTellingPath({ method, path, resource, action }: Call): boolean {
  const segments = path.split('/').filter((segment) => segment !== '');
  const fixed = segments.filter((segment) => placeholdersOf(segment).length === 0);
  const last = fixed.at(-1) ?? '';
  const isOne = segments.at(-1) !== last;
  const noun = nouns[resource] ?? new RegExp(resource, 'i');
  const [natural = 'POST', one = false] = methods[action] ?? [];
  const hasVerb = verbs[action]?.test(last) ?? false;
  if (hasVerb && noun.test(fixed.join('/'))) return ['POST', natural].includes(method);
  return methods[action] !== undefined && method === natural && noun.test(last) && isOne === one;
}

const nouns: Readonly<Record<string, RegExp>> = {
  auth: /auth/,
  site: /site|project|zhandian|xiangmu/i,
  ai: /(^|[^a-z])ai([^a-z]|$)/i,
  apiKey: /key|credential|miyao/i,
  content: /content|neirong/i,
  entry: /entr(y|ies)|wenzhang/i,
  article: /article/i,
  post: /post/i,
  form: /form/i,
  comment: /comment|message|pinglun/i,
  submission: /submission/i,
  publish: /publish|release/i,
  webhook: /hook/i,
  delivery: /deliver|log/i,
};

const verbs: Readonly<Record<string, RegExp>> = {
  login: /login/,
  refresh: /refresh/,
  test: /test/,
  create: /create|add|xinzeng/i,
  list: /list|search|liebiao|chaxun/i,
  get: /detail|info/i,
  update: /update|edit/i,
  delete: /delete|remove|shanchu/i,
  publish: /publish$|fabu$/i,
  failPublish: /fail/i,
  import: /import|daoru/i,
  generate: /generate|ai$/i,
  submit: /submi/i,
};

/** The method of a resource, and whether its path ends in the identifier of one. */
const methods: Readonly<Record<string, readonly [string, boolean]>> = {
  create: ['POST', false],
  list: ['GET', false],
  get: ['GET', true],
  update: ['PUT', true],
  delete: ['DELETE', true],
};
