// How most deployments would offer the operations that are not documented.

export type Noun = 'site' | 'content' | 'key' | 'hook' | 'delivery' | 'form' | 'comment';

export interface Shape {
  noun: Noun;
  verb: string;
  method: string;
  /** With nouns in angle brackets. */
  path: string;
  body?: readonly string[];
}

const site = '/tenant/<sites>/{siteID}';
const content = `${site}/<contents>/{contentID}`;

export const shapes: Readonly<Record<string, Shape>> = {
  'create-site': { noun: 'site', verb: 'create', method: 'POST', path: '/tenant/<sites>', body: ['name'] },
  'list-sites': { noun: 'site', verb: 'list', method: 'GET', path: '/tenant/<sites>' },
  'get-site': { noun: 'site', verb: 'detail', method: 'GET', path: site },
  'delete-site': { noun: 'site', verb: 'delete', method: 'DELETE', path: site },
  'publish-site': { noun: 'site', verb: 'publish', method: 'POST', path: `${site}/publish`, body: ['note'] },
  'fail-publish': {
    noun: 'site',
    verb: 'publish failing',
    method: 'POST',
    path: `${site}/publish-failing`,
    body: ['note'],
  },
  'import-site': {
    noun: 'site',
    verb: 'import',
    method: 'POST',
    path: '/tenant/<sites>/import',
    body: ['name', 'source'],
  },
  ai: { noun: 'site', verb: 'ai generate', method: 'POST', path: `${site}/ai/generate`, body: ['prompt'] },
  'create-key': { noun: 'key', verb: 'create', method: 'POST', path: '/tenant/<keys>', body: ['name'] },
  'list-keys': { noun: 'key', verb: 'list', method: 'GET', path: '/tenant/<keys>' },
  'delete-key': { noun: 'key', verb: 'delete', method: 'DELETE', path: '/tenant/<keys>/{keyID}' },
  'create-content': {
    noun: 'content',
    verb: 'create',
    method: 'POST',
    path: `${site}/<contents>`,
    body: ['title', 'text'],
  },
  'list-contents': { noun: 'content', verb: 'list', method: 'GET', path: `${site}/<contents>` },
  'get-content': { noun: 'content', verb: 'detail', method: 'GET', path: content },
  'update-content': {
    noun: 'content',
    verb: 'update',
    method: 'PUT',
    path: content,
    body: ['title', 'text'],
  },
  'delete-content': { noun: 'content', verb: 'delete', method: 'DELETE', path: content },
  'publish-content': { noun: 'content', verb: 'publish', method: 'POST', path: `${content}/publish` },
  'submit-form': {
    noun: 'form',
    verb: 'submit',
    method: 'POST',
    path: '/<sites>/{siteID}/<forms>/{form}/submissions',
    body: ['fields'],
  },
  'create-comment': {
    noun: 'comment',
    verb: 'create',
    method: 'POST',
    path: '/<sites>/{siteID}/<comments>',
    body: ['author', 'text'],
  },
  'list-submissions': { noun: 'form', verb: 'submissions', method: 'GET', path: `${site}/submissions` },
  'list-comments': { noun: 'comment', verb: 'list', method: 'GET', path: `${site}/<comments>` },
  'get-publish': { noun: 'site', verb: 'publish detail', method: 'GET', path: `${site}/publishes/{version}` },
  'list-subscriptions': { noun: 'hook', verb: 'list', method: 'GET', path: `${site}/<hooks>` },
  'delete-subscription': {
    noun: 'hook',
    verb: 'delete',
    method: 'DELETE',
    path: `${site}/<hooks>/{subscriptionID}`,
  },
  'list-deliveries': {
    noun: 'delivery',
    verb: 'list',
    method: 'GET',
    path: `${site}/<hooks>/{subscriptionID}/<deliveries>`,
  },
};
