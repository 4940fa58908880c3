// The profile of a deployment whose paths are written in pinyin.
import type { Profile } from '../../../openapi/profile.ts';
import { mapPaths } from './trailing-slashes.ts';

/** The documented paths stay as they are documented; segments that nobody would translate stay, too. */
export function withPinyinPaths(profile: Profile): Profile {
  return mapPaths(profile, (path) =>
    path
      .split('/')
      .map((segment) => pinyin[segment] ?? segment)
      .join('/'),
  );
}

/** By segments of the packaged profiles' paths, and of those of the other operations. */
export const pinyin: Readonly<Record<string, string>> = {
  ...{
    tenant: 'zuhu',
    sites: 'zhandian',
    site: 'zhandian',
    projects: 'xiangmu',
    publish: 'fabu',
    import: 'daoru',
  },
  ...{
    'publish-failing': 'fabushibai',
    keys: 'miyao',
    key: 'miyao',
    contents: 'neirong',
    entries: 'wenzhang',
    comments: 'pinglun',
  },
  ...{
    forms: 'biaodan',
    submissions: 'tijiao',
    webhooks: 'tuisong',
    webhook: 'tuisong',
    hooks: 'tuisong',
    publishes: 'fabujilu',
  },
  ...{
    deliveries: 'tuisongjilu',
    'push-log': 'tuisongrizhi',
    create: 'xinzeng',
    list: 'liebiao',
    delete: 'shanchu',
    search: 'chaxun',
  },
  ...{
    ai: 'zhineng',
    users: 'yonghu',
    user: 'yonghu',
    roles: 'juese',
    role: 'juese',
    media: 'sucai',
    domains: 'yuming',
    domain: 'yuming',
  },
  ...{
    pages: 'yemian',
    page: 'yemian',
    templates: 'moban',
    template: 'moban',
    categories: 'fenlei',
    clone: 'fuzhi',
    export: 'daochu',
  },
};
