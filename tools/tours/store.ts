import type { Page } from '@playwright/test';
import type { FlowInput } from '../../machines/flows/flow-input.ts';
import { store } from '../../machines/path-models/path-model.ts';

const getFlags = (of: FlowInput['store']): Map<string, boolean> =>
  new Map(Object.entries(of).flatMap(([name, value]) => (typeof value === 'boolean' ? [[name, value]] : [])));

/** The shop of a model whose store has other flags than the usual model store. */
export const stubStore = async (page: Page, input: Pick<FlowInput, 'store'>): Promise<void> => {
  const usual = getFlags(store);
  const changed = [...getFlags(input.store)]
    .filter(([name, value]) => usual.get(name) !== value)
    .map(([name, value]) => [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, value] as const);
  if (changed.length === 0) return;
  await page.route('**/store/properties?*', async (route) => {
    const response = await route.fetch();
    let body = await response.text();
    for (const [name, value] of changed) {
      const element = `<${name}>${value}</${name}>`;
      const given = new RegExp(`<${name}>[^<]*</${name}>`, 'i');
      body = given.test(body) ? body.replace(given, element) : body.replace(/<\/\w+>\s*$/, (end) => `${element}${end}`);
    }
    return route.fulfill({ response, body });
  });
  await page.route(
    (url) => !/^\/(api|assets|media)\//.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const response = await route.fetch();
      let body = await response.text();
      for (const [name, value] of changed)
        body = body.replace(new RegExp(`(<|\\\\u003c)${name}(>|\\\\u003e)[a-z]*`, 'i'), `$1${name}$2${value}`);
      return route.fulfill({ response, body });
    },
  );
};
