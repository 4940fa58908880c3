// Lets an example that imports `sitepub/…` run in this checkout, where nothing is built:
// node --import ./examples/use-checkout.ts examples/express-receiver/receiver.ts
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const root = new URL('../', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  exports: Record<string, { default: string } | string>;
};

registerHooks({
  resolve(specifier, context, nextResolve) {
    const entrance = exports[specifier.replace(/^sitepub\//, './')];
    if (!specifier.startsWith('sitepub/') || typeof entrance !== 'object')
      return nextResolve(specifier, context);
    const source = entrance.default.replace('/dist/', '/').replace(/\.js$/, '.ts');
    return nextResolve(new URL(source, root).href, context);
  },
});
